import { signal } from '@preact/signals';
import type { RowArrangement } from '#base/arranged-rows.ts';
import { isEmptyFilter, type RowFilter } from '#base/row-filter.ts';
import type { RowOrder } from '#base/row-order.ts';
import type { Cells } from './columns.ts';
import { PagedRows } from './paged-rows.ts';

/** The requests of a page to the host that holds its rows. */
type RowRequest =
  | { readonly type: 'rows'; readonly offset: number; readonly count: number }
  | { readonly type: 'sort'; readonly order?: RowOrder | undefined }
  | { readonly type: 'filter'; readonly filter: RowFilter };

/** The model of a page with a grid: rows that the host holds, and their arrangement. */
export abstract class ArrangedRows {
  abstract readonly post: (message: RowRequest) => void;
  readonly order = signal<RowOrder | undefined>(undefined);
  readonly filter = signal<RowFilter>({ condition: 'contains', value: '' });
  protected readonly rows = new PagedRows((offset, count) => this.post({ type: 'rows', offset, count }));

  #isAdopted = false;

  /** Adopts the host's arrangement once: from then on, the host follows the page. */
  protected adopt({ order, filter }: RowArrangement): void {
    if (this.#isAdopted) return;
    this.#isAdopted = true;
    this.order.value ??= order;
    if (filter && isEmptyFilter(this.filter.value)) this.filter.value = filter;
  }

  /** Returns a row if it has arrived, otherwise requests it. */
  row(index: number): Cells | undefined {
    return this.rows.row(index);
  }

  sort(order: RowOrder | undefined): void {
    this.order.value = order;
    this.post({ type: 'sort', order });
  }

  narrow(filter: RowFilter): void {
    this.filter.value = filter;
    this.post({ type: 'filter', filter });
  }
}
