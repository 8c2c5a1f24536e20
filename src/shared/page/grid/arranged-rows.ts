import { signal } from '@preact/signals';
import type { RowArrangement } from '#base/arranged-rows.ts';
import type { Column } from '#base/cells.ts';
import { isEqual } from '#base/equal.ts';
import { movedArrangement } from '#base/moved-arrangement.ts';
import type { RowFilter } from '#base/row-filter.ts';
import type { RowOrder } from '#base/row-order.ts';
import type { Cells } from './columns.ts';
import { PagedRows } from './paged-rows.ts';

/** The requests of a page to the host that holds its rows. */
type RowRequest =
  | { readonly type: 'rows'; readonly offset: number; readonly count: number }
  | { readonly type: 'sort'; readonly order?: RowOrder | undefined }
  | { readonly type: 'filter'; readonly filter: RowFilter };

const everything: RowFilter = { condition: 'contains', value: '' };

/** The model of a page with a grid: rows that the host holds, and their arrangement. */
export abstract class ArrangedRows {
  abstract readonly post: (message: RowRequest) => void;
  readonly order = signal<RowOrder | undefined>(undefined);
  readonly filter = signal<RowFilter>(everything);
  protected readonly rows = new PagedRows((offset, count) => this.post({ type: 'rows', offset, count }));

  /** What the user changed on this page: the host follows that. The rest is as the host has it. */
  readonly #own = new Set<'order' | 'filter'>();
  #columns: readonly Column[] = [];

  /** Adopts the host's arrangement, except for what the user changed; moves that with its columns where they are others. */
  protected adopt({ order, filter, columns }: RowArrangement & { readonly columns: readonly Column[] }): void {
    if (!this.#own.has('order')) this.order.value = order;
    if (!this.#own.has('filter')) this.filter.value = filter ?? everything;
    // A query that has just begun has no columns yet.
    if (columns.length === 0) return;
    const before = this.#columns;
    this.#columns = columns;
    if (before.length === 0 || isEqual(before, columns)) return;
    const moved = movedArrangement({ order: this.order.value, filter: this.filter.value }, before, columns);
    // The host has moved what it knew by then. What was on its way to it names an earlier column, so it is sent again.
    if (this.#own.has('order')) this.sort(moved.order);
    if (this.#own.has('filter')) this.narrow(moved.filter ?? everything);
  }

  /** Returns a row if it has arrived, otherwise requests it. */
  row(index: number): Cells | undefined {
    return this.rows.row(index);
  }

  sort(order: RowOrder | undefined): void {
    this.#own.add('order');
    this.order.value = order;
    this.post({ type: 'sort', order });
  }

  narrow(filter: RowFilter): void {
    this.#own.add('filter');
    this.filter.value = filter;
    this.post({ type: 'filter', filter });
  }
}
