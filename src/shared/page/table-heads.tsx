import { type Column, isNumberType } from '#base/cells.ts';
import type { RowOrder } from '#base/row-order.ts';
import { visible } from './visible.ts';

interface HeadsProps {
  readonly columns: readonly Column[];
  readonly order: RowOrder | undefined;
  readonly onSort: (order: RowOrder | undefined) => void;
}

/** The heads of a table's columns: a click orders by one, a second turns the order round, a third takes it back. */
export function TableHeads({ columns, order, onSort }: HeadsProps) {
  const click = (column: number): void => {
    if (order?.column !== column) onSort({ column, descending: false });
    else onSort(order.descending ? undefined : { column, descending: true });
  };
  return columns.map(({ name, type }, at) => (
    <th key={name} aria-sort={sortOf(order, at)} class={isNumberType(type) ? 'align-right' : undefined}>
      <button type="button" class="sort" title={`${visible(name)} (${type})`} onClick={() => click(at)}>
        {visible(name)}
        <span aria-hidden="true">{order?.column === at ? (order.descending ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>
  ));
}

function sortOf(order: RowOrder | undefined, column: number): 'ascending' | 'descending' | 'none' {
  if (order?.column !== column) return 'none';
  return order.descending ? 'descending' : 'ascending';
}
