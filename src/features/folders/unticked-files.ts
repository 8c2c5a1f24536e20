import * as v from 'valibot';
import { parsed } from '#base/parsed.ts';
import type { StateStore } from '#shell/ports.ts';

const stateKey = 'untickedFiles';
/** The number of pages, and of files on each, that are remembered. */
const mostPages = 20;
const mostFiles = 2000;

const schema = v.array(v.strictTuple([v.string(), v.array(v.string())]));

/**
 * Remembers the files that the user unticked on a page of files to restore or discard, until the page is confirmed, so that a
 * reload of the window does not tick them again. A file is named with the version that the page offers: another one is ticked.
 */
export class UntickedFiles {
  readonly #state: StateStore;

  constructor(state: StateStore) {
    this.#state = state;
  }

  /** Returns the files that are unticked on a page; `page` is its key. */
  of(page: string): ReadonlySet<string> {
    return new Set(this.#all().find(([key]) => key === page)?.[1]);
  }

  /** Stores the files that are unticked on a page; none forgets the page. */
  set(page: string, files: ReadonlySet<string>): void {
    const others = this.#all().filter(([key]) => key !== page);
    const own = files.size > 0 ? [[page, [...files].slice(-mostFiles)] as const] : [];
    // Without a place on disk, they last as long as the page.
    this.#state.set(stateKey, [...own, ...others].slice(0, mostPages)).catch(() => undefined);
  }

  #all(): v.InferOutput<typeof schema> {
    return parsed(schema, this.#state.get(stateKey)) ?? [];
  }
}
