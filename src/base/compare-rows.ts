import { cellText, type Column, type Row, type Table } from './cells.ts';
import { plural } from './words.ts';

/** The maximum number of differences that are listed. */
const mostListed = 2_000;

/** Separates the column name from the name of the result in the columns of a comparison. */
const SIDE = ' · ';

/** The differences between two results of one query; `rows` has one row per listed difference, with the cells of `columns`. */
export interface RowDifference {
  readonly same: number;
  readonly changed: number;
  /** Rows that only the first or only the second result has. */
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/**
 * Compares two results with the same columns. Rows match when their `keys` are equal, and are the same when all values are equal.
 * Of rows with equal keys, those that are the same match first, and the others in their order.
 */
export function compareRows(
  columns: readonly Column[],
  keys: ReadonlySet<string>,
  [first, second]: readonly [Table['rows'], Table['rows']],
  [firstName, secondName]: readonly [string, string],
): RowDifference {
  const keyAt = columns.flatMap(({ name }, at) => (keys.has(name) ? [at] : []));
  const valueAt = columns.flatMap(({ name }, at) => (keys.has(name) ? [] : [at]));
  const keyOf = (row: Row): string => JSON.stringify(keyAt.map((at) => plainText(row[at])));
  const [one, other] = withoutCommon(first, second);
  const left = Map.groupBy(other, keyOf);
  const counts = { same: first.length - one.length, changed: 0, onlyFirst: 0, onlySecond: 0 };
  const rows: (readonly (string | null)[])[] = [];
  const list = (kind: string, key: Row, one: Row | undefined, other: Row | undefined): void => {
    if (rows.length >= mostListed) return;
    const text = (row: Row | undefined, at: number): string | null => (row ? cellText(row[at]) : '—');
    rows.push([
      kind,
      ...keyAt.map((at) => cellText(key[at])),
      ...valueAt.flatMap((at) => [text(one, at), text(other, at)]),
    ]);
  };
  for (const row of one) {
    const match = left.get(keyOf(row))?.shift();
    if (!match) {
      counts.onlyFirst += 1;
      list(`only in ${firstName}`, row, row, undefined);
    } else {
      counts.changed += 1;
      list('changed', row, row, match);
    }
  }
  for (const row of [...left.values()].flat()) {
    counts.onlySecond += 1;
    list(`only in ${secondName}`, row, undefined, row);
  }
  const typed = (at: number): Column => columns[at] ?? { name: '', type: 'string' };
  return {
    ...counts,
    rows,
    columns: [
      { name: 'difference', type: 'string' },
      ...keyAt.map(typed),
      ...valueAt.flatMap((at) =>
        [firstName, secondName].map((side) => ({ name: `${typed(at).name}${SIDE}${side}`, type: typed(at).type })),
      ),
    ],
  };
}

/** Returns the rows of each result that the other one does not have, in their order; of equal rows, one each is common. */
function withoutCommon(first: Table['rows'], second: Table['rows']): readonly [Table['rows'], Table['rows']] {
  const textOf = (row: Row): string => JSON.stringify(row.map(plainText));
  const counts = new Map<string, number>();
  for (const row of second) counts.set(textOf(row), (counts.get(textOf(row)) ?? 0) + 1);
  const common = new Map<string, number>();
  const one = first.filter((row) => {
    const text = textOf(row);
    const left = counts.get(text) ?? 0;
    if (left > 0) {
      counts.set(text, left - 1);
      common.set(text, (common.get(text) ?? 0) + 1);
    }
    return left === 0;
  });
  const other = second.filter((row) => {
    const text = textOf(row);
    const left = common.get(text) ?? 0;
    if (left > 0) common.set(text, left - 1);
    return left === 0;
  });
  return [one, other];
}

/** Returns the column of the results that a column of a comparison stands for. */
export function comparedName(name: string): string {
  return name.split(SIDE, 1)[0] ?? name;
}

/** Formats a value without trailing zeros, which some databases add and others omit. */
function plainText(value: unknown): string | null {
  const text = cellText(value);
  return text !== null && /^-?\d+\.\d*$/.test(text) ? text.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : text;
}

/** Describes the difference in a sentence. */
export function rowDifferenceText(
  { same, changed, onlyFirst, onlySecond, rows }: RowDifference,
  names: readonly [string, string],
): string {
  const all = changed + onlyFirst + onlySecond;
  if (all === 0)
    return same === 0 ? 'Both answers have no rows.' : `Both answers have the same ${plural(same, 'row')}.`;
  const texts = [
    ...(changed > 0 ? [`${plural(changed, 'row')} changed`] : []),
    ...(onlyFirst > 0 ? [`${plural(onlyFirst, 'row')} only in ${names[0]}`] : []),
    ...(onlySecond > 0 ? [`${plural(onlySecond, 'row')} only in ${names[1]}`] : []),
    `${plural(same, 'row')} the same`,
  ];
  const cut = rows.length < all ? ` The first ${rows.length.toLocaleString('en')} differences are listed.` : '';
  return `${texts.join(', ')}.${cut}`;
}
