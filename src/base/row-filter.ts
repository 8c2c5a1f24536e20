import { cellText, type Column, type Row } from './cells.ts';
import { comparisonOf } from './row-order.ts';

/** What a cell must be. Each condition of the second line is the opposite of the one above it. */
export const rowConditions = [
  ...(['contains', 'equals', 'null'] as const),
  ...(['excludes', 'differs', 'present'] as const),
  ...(['above', 'below'] as const),
] as const;
export type RowCondition = (typeof rowConditions)[number];

/** Which rows are shown: those with the condition in a column, or without one in any column. */
export interface RowFilter {
  readonly column?: number | undefined;
  readonly condition: RowCondition;
  /** What cells are compared with; `null` and `present` need none. */
  readonly value: string;
}

/** Whether a filter leaves anything out: without a value, most conditions wait for one. */
export function isEmptyFilter({ condition, value }: RowFilter): boolean {
  return value === '' && ['contains', 'excludes', 'above', 'below'].includes(condition);
}

/**
 * The rows that a filter leaves, in their order. NULL contains nothing, equals nothing and is neither above nor below
 * anything; an empty text equals the empty value.
 */
export function filtered(rows: readonly Row[], columns: readonly Column[], filter: RowFilter): readonly Row[] {
  if (isEmptyFilter(filter)) return rows;
  const { column, condition, value } = filter;
  const opposite = opposites[condition];
  const among = columns.flatMap(({ type }, at) => (column === undefined || column === at ? [{ at, type }] : []));
  const tests = among.map(({ at, type }) => {
    const holds = cellTest(opposite ?? condition, value, type);
    return (row: Row): boolean => holds(cellText(row[at]));
  });
  return rows.filter((row) => tests.some((holds) => holds(row)) === (opposite === undefined));
}

const opposites: Readonly<Partial<Record<RowCondition, RowCondition>>> = {
  excludes: 'contains',
  differs: 'equals',
  present: 'null',
};

function cellTest(condition: RowCondition, value: string, type: string): (cell: string | null) => boolean {
  if (condition === 'null') return (cell) => cell === null;
  const sought = value.toLowerCase();
  if (condition === 'contains') return (cell) => cell !== null && cell.toLowerCase().includes(sought);
  const compare = comparisonOf(type);
  if (condition === 'equals') return (cell) => cell !== null && (cell === value || compare(cell, value) === 0);
  const sign = condition === 'below' ? -1 : 1;
  return (cell) => cell !== null && sign * compare(cell, value) > 0;
}
