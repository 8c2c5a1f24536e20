import type { Disposable } from '#base/disposable.ts';
import { SingleFlight } from '#base/async.ts';
import type { ReadonlyStore } from '#base/store.ts';
import { type Loadable, Resource } from './resource.ts';
import type { Paged } from './workspace-items.ts';
import { appendPage } from './workspace-lists.ts';

type LoadPage<T> = (after: string | undefined, signal?: AbortSignal) => Promise<Paged<T>>;

/** A list that grows page by page; a refresh starts with the first page again. */
export class PagedList<T extends { readonly id: string }> implements Disposable {
  readonly #page: LoadPage<T>;
  readonly #first: Resource<Paged<T>>;
  readonly #more = new SingleFlight<void>();

  constructor(page: LoadPage<T>) {
    this.#page = page;
    this.#first = new Resource((signal) => page(undefined, signal));
  }

  get state(): ReadonlyStore<Loadable<Paged<T>>> {
    return this.#first.state;
  }

  /** As `Resource.start`. */
  start(): Promise<void> {
    return this.#first.start();
  }

  ensure(): Promise<void> {
    return this.#first.ensure();
  }

  refresh(): Promise<void> {
    return this.#first.invalidate();
  }

  /** Loads the next page behind what is there. Rejects when it cannot. */
  loadMore(): Promise<void> {
    return this.#more.run(async () => {
      const before = this.#first.value;
      if (before?.next === undefined) return;
      const page = await this.#page(before.next);
      // A refresh in between made the cursor void.
      if (this.#first.value === before) this.#first.set(appendPage(before, page));
    });
  }

  dispose(): void {
    this.#first.dispose();
  }
}
