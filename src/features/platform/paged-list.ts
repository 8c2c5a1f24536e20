import type { Disposable } from '#base/disposable.ts';
import { SingleFlight } from '#base/async.ts';
import type { ReadonlyStore } from '#base/store.ts';
import { type Loadable, Resource } from './resource.ts';
import type { Paged } from './workspace-items.ts';
import { appendPage } from './workspace-lists.ts';

type LoadPage<T> = (after: string | undefined, signal?: AbortSignal) => Promise<Paged<T>>;

/** The maximum number of pages that a refresh reads again, so that it ends soon. */
const mostPagesAgain = 10;

/** A list that is loaded page by page; a refresh reloads the shown pages, up to a limit. */
export class PagedList<T extends { readonly id: string }> implements Disposable {
  readonly #page: LoadPage<T>;
  readonly #first: Resource<Paged<T>>;
  readonly #more = new SingleFlight<void>();
  /** The number of loaded pages. */
  #pages = 1;

  constructor(page: LoadPage<T>) {
    this.#page = page;
    this.#first = new Resource((signal) => this.#again(signal));
  }

  get state(): ReadonlyStore<Loadable<Paged<T>>> {
    return this.#first.state;
  }

  /** See `Resource.start`. */
  start(): Promise<void> {
    return this.#first.start();
  }

  ensure(): Promise<void> {
    return this.#first.ensure();
  }

  refresh(): Promise<void> {
    return this.#first.invalidate();
  }

  /** Loads the next page. Rejects if that fails. */
  loadMore(): Promise<void> {
    return this.#more.run(async () => {
      const before = this.#first.value;
      if (before?.next === undefined) return;
      const page = await this.#page(before.next);
      // A refresh meanwhile invalidated the cursor.
      if (this.#first.value !== before) return;
      this.#first.set(appendPage(before, page));
      this.#pages += 1;
    });
  }

  /** Reloads the pages that are shown, so that a change by the user does not scroll the list back to its beginning. */
  async #again(signal: AbortSignal): Promise<Paged<T>> {
    const wanted = Math.min(this.#pages, mostPagesAgain);
    let all = await this.#page(undefined, signal);
    let pages = 1;
    for (; pages < wanted && all.next !== undefined; pages += 1) {
      all = appendPage(all, await this.#page(all.next, signal));
    }
    this.#pages = pages;
    return all;
  }

  dispose(): void {
    this.#first.dispose();
  }
}
