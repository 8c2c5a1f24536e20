import type { Column, Row } from './cells.ts';
import { filtered, isEmptyFilter, type RowFilter } from './row-filter.ts';
import { ordered, type RowOrder } from './row-order.ts';

/** The order in which rows are returned, and the filter that selects them. */
export interface RowArrangement {
  readonly order?: RowOrder | undefined;
  readonly filter?: RowFilter | undefined;
}

/** Returns the rows that pass the filter, in the given order; `rows` itself when neither changes anything. */
export function arrangedRows(
  rows: readonly Row[],
  columns: readonly Column[],
  { order, filter }: RowArrangement,
): readonly Row[] {
  const left = filter ? filtered(rows, columns, filter) : rows;
  return order ? ordered(left, columns, order) : left;
}

/** Whether the arrangement reorders rows or leaves some of them out. */
export function isArranged({ order, filter }: RowArrangement): boolean {
  return order !== undefined || (filter !== undefined && !isEmptyFilter(filter));
}
