import { cellText, type Column, type Row, type Table } from './cells.ts';

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
 * Rows with equal keys are matched in their order.
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
  const left = Map.groupBy(second, keyOf);
  const counts = { same: 0, changed: 0, onlyFirst: 0, onlySecond: 0 };
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
  for (const row of first) {
    const match = left.get(keyOf(row))?.shift();
    if (!match) {
      counts.onlyFirst += 1;
      list(`only in ${firstName}`, row, row, undefined);
    } else if (valueAt.every((at) => plainText(row[at]) === plainText(match[at]))) counts.same += 1;
    else {
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

/** Returns the column of the results that a column of a comparison stands for. */
export function comparedName(name: string): string {
  return name.split(SIDE, 1)[0] ?? name;
}

/** Formats a value without trailing zeros, which some databases add and others omit. */
function plainText(value: unknown): string | null {
  const text = cellText(value);
  return text !== null && /^-?\d+\.\d*$/.test(text) ? text.replace(/\.?0*$/, '') : text;
}

/** Describes the difference in a sentence. */
export function rowDifferenceText(
  { same, changed, onlyFirst, onlySecond, rows }: RowDifference,
  names: readonly [string, string],
): string {
  const all = changed + onlyFirst + onlySecond;
  if (all === 0) return `Both answers have the same ${counted(same)}.`;
  const texts = [
    ...(changed > 0 ? [`${counted(changed)} changed`] : []),
    ...(onlyFirst > 0 ? [`${counted(onlyFirst)} only in ${names[0]}`] : []),
    ...(onlySecond > 0 ? [`${counted(onlySecond)} only in ${names[1]}`] : []),
    `${counted(same)} the same`,
  ];
  const cut = rows.length < all ? ` The first ${rows.length.toLocaleString('en')} differences are listed.` : '';
  return `${texts.join(', ')}.${cut}`;
}

function counted(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}`;
}
