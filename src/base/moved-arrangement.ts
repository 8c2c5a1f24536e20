import type { RowArrangement } from './arranged-rows.ts';
import type { Column } from './cells.ts';

/**
 * Returns the arrangement of rows for other columns: an order or filter follows its column to the new position, and is dropped
 * where there is no column of that name any more.
 */
export function movedArrangement(
  { order, filter }: RowArrangement,
  before: readonly Column[],
  after: readonly Column[],
): RowArrangement {
  const moved = (column: number): number => {
    const name = before[column]?.name;
    return after[column]?.name === name ? column : after.findIndex((each) => each.name === name);
  };
  const orderedBy = order && moved(order.column);
  const filteredBy = filter?.column === undefined ? undefined : moved(filter.column);
  return {
    order: order && orderedBy !== undefined && orderedBy >= 0 ? { ...order, column: orderedBy } : undefined,
    filter: filteredBy === -1 ? undefined : filter && { ...filter, column: filteredBy },
  };
}
