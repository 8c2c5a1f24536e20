import { signal } from '@preact/signals';
import type { Cells } from './columns.ts';

/** Rows that are asked for at a time. */
const pageSize = 200;
/** Pages that are waited for at once: those that a fast scroll leaves behind meanwhile are never asked for. */
const mostAwaited = 2;

/** Rows that the host holds, fetched page by page as they are scrolled into sight. */
export class PagedRows {
  readonly #request: (offset: number, count: number) => void;
  /** Pages by their number, of the present version. */
  readonly #pages = signal<ReadonlyMap<number, readonly Cells[]>>(new Map());
  readonly #asked = new Set<number>();
  readonly #awaited = new Set<number>();
  #version = -1;
  #count = -1;

  constructor(request: (offset: number, count: number) => void) {
    this.#request = request;
  }

  /** A row, when its page is here; asks for the page otherwise, at the latest when the pages that are waited for are here. */
  row(index: number): Cells | undefined {
    const page = Math.floor(index / pageSize);
    const pages = this.#pages.value;
    const row = pages.get(page)?.[index - page * pageSize];
    if (!row && !this.#asked.has(page) && this.#awaited.size < mostAwaited) {
      this.#asked.add(page);
      this.#awaited.add(page);
      this.#request(page * pageSize, pageSize);
    }
    return row;
  }

  /** The host has other rows, or more of them. */
  follow({ version, count }: { readonly version: number; readonly count: number }): void {
    const isOther = version !== this.#version;
    if (isOther) this.#pages.value = new Map();
    // A page at the end may have been cut short when it was asked for.
    if (isOther || count !== this.#count) {
      this.#asked.clear();
      this.#awaited.clear();
    }
    this.#version = version;
    this.#count = count;
  }

  /** Rows that were asked for; those of another version are stale. */
  take({ version, offset, rows }: { version: number; offset: number; rows: readonly Cells[] }): void {
    if (version !== this.#version) return;
    const page = Math.floor(offset / pageSize);
    this.#awaited.delete(page);
    this.#pages.value = new Map(this.#pages.value).set(page, rows);
  }
}
