import { signal } from '@preact/signals';
import { ArrangedRows } from '#shared/page/grid/arranged-rows.ts';
import type { Cells } from '#shared/page/grid/columns.ts';
import type { HostToView, ViewToHost } from '#features/chat/messages.ts';
import { dayColumns, dayOf } from './view/dates.ts';

type RowsAnswer = Extract<HostToView, { readonly type: 'rows' }>;
type Post = (message: ViewToHost) => void;

/** The rows of one result: the host stores and arranges them, and delivers the pages that scroll into view. */
export class ResultRows extends ArrangedRows {
  /** The number of rows that pass the filter. */
  readonly count = signal(0);
  /** The number of rows that the host holds. */
  readonly loaded: number;
  readonly #where: { readonly turn: string; readonly id: string };
  readonly #send: Post;
  #version = 0;
  /** Columns that contain only days, judged by the first rows of the result. */
  readonly #days = signal<ReadonlySet<number>>(new Set());

  constructor(where: { readonly turn: string; readonly id: string }, loaded: number, send: Post) {
    super();
    this.#where = where;
    this.#send = send;
    this.loaded = loaded;
    this.count.value = loaded;
    this.rows.follow({ version: 0, count: loaded });
  }

  /** The arrangement of the rows, which copies and files of them share. */
  get arrangement(): Pick<Extract<ViewToHost, { readonly type: 'tool' }>, 'order' | 'filter'> {
    return { order: this.order.value, filter: this.filter.value };
  }

  readonly post: ArrangedRows['post'] = (request) => {
    if (request.type === 'rows') {
      const { offset, count } = request;
      this.#send({ type: 'rows', ...this.#where, version: this.#version, offset, count, ...this.arrangement });
      return;
    }
    this.#version += 1;
    this.rows.follow({ version: this.#version, count: this.count.value });
  };

  /** Returns a row as shown: days without their meaningless time of day. */
  override row(index: number): Cells | undefined {
    const cells = super.row(index);
    const days = this.#days.value;
    return days.size === 0 ? cells : cells?.map((cell, at) => (cell !== null && days.has(at) ? dayOf(cell) : cell));
  }

  take({ version, count, offset, rows }: RowsAnswer): void {
    if (version !== this.#version) return;
    this.rows.take({ version, offset, rows });
    this.rows.follow({ version, count });
    this.count.value = count;
    if (version === 0 && offset === 0) this.#days.value = dayColumns(rows, rows[0]?.length ?? 0);
  }
}
