import { visible } from './visible.ts';

/** The column that rows are ordered by. */
export interface Order {
  readonly column: number;
  readonly descending: boolean;
}

interface Column {
  readonly name: string;
  readonly type: string;
}

interface HeadsProps {
  readonly columns: readonly Column[];
  readonly order: Order | undefined;
  readonly onSort: (order: Order | undefined) => void;
}

/** The heads of a table's columns: a click orders by one, a second turns the order round, a third takes it back. */
export function TableHeads({ columns, order, onSort }: HeadsProps) {
  const click = (column: number): void => {
    if (order?.column !== column) onSort({ column, descending: false });
    else onSort(order.descending ? undefined : { column, descending: true });
  };
  return columns.map(({ name, type }, at) => (
    <th key={name} aria-sort={sortOf(order, at)} class={isNumber(type) ? 'align-right' : undefined}>
      <button type="button" class="sort" title={`${visible(name)} (${type})`} onClick={() => click(at)}>
        {visible(name)}
        <span aria-hidden="true">{order?.column === at ? (order.descending ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>
  ));
}

/** Whether a column's values are numbers, by the engine's or the database's name of its type. */
export function isNumber(type: string): boolean {
  return /int|num|dec|float|double|real/i.test(type);
}

function sortOf(order: Order | undefined, column: number): 'ascending' | 'descending' | 'none' {
  if (order?.column !== column) return 'none';
  return order.descending ? 'descending' : 'ascending';
}
