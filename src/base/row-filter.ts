import { cellText, type Column, readableCell, type Row } from './cells.ts';
import { comparisonOf } from './row-order.ts';

/** The conditions for a cell. Each condition on the second line is the opposite of the one above it. */
export const rowConditions = [
  ...(['contains', 'equals', 'null'] as const),
  ...(['excludes', 'differs', 'present'] as const),
  ...(['above', 'below'] as const),
] as const;
export type RowCondition = (typeof rowConditions)[number];

/** The filter of the rows: the condition must hold in `column`, or in any column if there is none. */
export interface RowFilter {
  readonly column?: number | undefined;
  readonly condition: RowCondition;
  /** The value that cells are compared with; `null` and `present` need none. */
  readonly value: string;
}

/** Whether a filter leaves nothing out: most conditions have no effect until they have a value. */
export function isEmptyFilter({ condition, value }: RowFilter): boolean {
  return value === '' && ['contains', 'excludes', 'above', 'below'].includes(condition);
}

/**
 * Returns the rows that pass the filter, in their order. NULL contains nothing, equals nothing and is neither above nor below
 * anything; an empty text equals the empty value.
 */
export function filtered(rows: readonly Row[], columns: readonly Column[], filter: RowFilter): readonly Row[] {
  if (isEmptyFilter(filter)) return rows;
  const { column, condition, value } = filter;
  const opposite = opposites[condition];
  const among = columns.flatMap((each, at) => (column === undefined || column === at ? [{ at, each }] : []));
  const tests = among.map(({ at, each }) => {
    const holds = cellTest(opposite ?? condition, value, each);
    return (row: Row): boolean => holds(cellText(row[at]));
  });
  return rows.filter((row) => tests.some((holds) => holds(row)) === (opposite === undefined));
}

const opposites: Readonly<Partial<Record<RowCondition, RowCondition>>> = {
  excludes: 'contains',
  differs: 'equals',
  present: 'null',
};

function cellTest(condition: RowCondition, value: string, column: Column): (cell: string | null) => boolean {
  if (condition === 'null') return (cell) => cell === null;
  const sought = value.toLowerCase();
  if (condition === 'contains')
    return (cell) => {
      if (cell === null) return false;
      // As the server wrote it, or as it is shown.
      return cell.toLowerCase().includes(sought) || readableCell(cell, column).toLowerCase().includes(sought);
    };
  const compare = comparisonOf(column.type);
  if (condition === 'equals')
    return (cell) =>
      cell !== null && (cell === value || readableCell(cell, column) === value || compare(cell, value) === 0);
  const sign = condition === 'below' ? -1 : 1;
  return (cell) => cell !== null && sign * compare(cell, value) > 0;
}
