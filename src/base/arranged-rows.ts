import type { Column, Row } from './cells.ts';
import { filtered, isEmptyFilter, type RowFilter } from './row-filter.ts';
import { ordered, type RowOrder } from './row-order.ts';

/** In which order rows are given out, and which of them. */
export interface RowArrangement {
  readonly order?: RowOrder | undefined;
  readonly filter?: RowFilter | undefined;
}

/** The rows that a filter leaves, in an order; the same rows where neither changes anything. */
export function arrangedRows(
  rows: readonly Row[],
  columns: readonly Column[],
  { order, filter }: RowArrangement,
): readonly Row[] {
  const left = filter ? filtered(rows, columns, filter) : rows;
  return order ? ordered(left, columns, order) : left;
}

/** Whether rows are given out in another order than they came in, or not all of them. */
export function isArranged({ order, filter }: RowArrangement): boolean {
  return order !== undefined || (filter !== undefined && !isEmptyFilter(filter));
}
