import { signal } from '@preact/signals';
import type { Cells } from './columns.ts';

/** Rows per request. */
const pageSize = 200;
/** The maximum number of pending pages: pages that a fast scroll has left behind are never requested. */
const mostAwaited = 2;
/** A page that has not arrived by then is requested again when it is drawn next, because its request or answer was lost. */
const lostAfterMs = 5_000;

/** Rows that the host holds, fetched page by page as they become visible. */
export class PagedRows {
  readonly #request: (offset: number, count: number) => void;
  /** The pages of the current version, by index. */
  readonly #pages = signal<ReadonlyMap<number, readonly Cells[]>>(new Map());
  /** When the pages were requested that have not arrived, in milliseconds. */
  readonly #awaited = new Map<number, number>();
  /** The pages that have arrived since the number of rows changed: what they do not have, the host does not have either. */
  readonly #arrived = new Set<number>();
  #version = -1;
  #count = -1;

  constructor(request: (offset: number, count: number) => void) {
    this.#request = request;
  }

  /** Returns a row if its page has arrived. Otherwise requests the page, at the latest when the pending pages have arrived. */
  row(index: number): Cells | undefined {
    const page = Math.floor(index / pageSize);
    const pages = this.#pages.value;
    const row = pages.get(page)?.[index - page * pageSize];
    if (!row && !this.#arrived.has(page)) this.#ask(page);
    return row;
  }

  #ask(page: number): void {
    const now = performance.now();
    for (const [awaited, since] of this.#awaited) if (now - since >= lostAfterMs) this.#awaited.delete(awaited);
    if (this.#awaited.has(page) || this.#awaited.size >= mostAwaited) return;
    this.#awaited.set(page, now);
    this.#request(page * pageSize, pageSize);
  }

  /** Handles a change of the host's rows, or of their number. */
  follow({ version, count }: { readonly version: number; readonly count: number }): void {
    const isOther = version !== this.#version;
    if (isOther) this.#pages.value = new Map();
    // The last page may have been incomplete when it was requested.
    if (isOther || count !== this.#count) {
      this.#arrived.clear();
      this.#awaited.clear();
    }
    this.#version = version;
    this.#count = count;
  }

  /** Stores rows that were requested; ignores those of another version. */
  take({ version, offset, rows }: { version: number; offset: number; rows: readonly Cells[] }): void {
    if (version !== this.#version) return;
    const page = Math.floor(offset / pageSize);
    this.#awaited.delete(page);
    this.#arrived.add(page);
    this.#pages.value = new Map(this.#pages.value).set(page, rows);
  }
}
