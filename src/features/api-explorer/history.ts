import * as v from 'valibot';
import { isObject } from '#api/schema.ts';
import type { Disposable } from '#base/disposable.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import type { StateStore } from '#shell/ports.ts';
import type { RequestParts } from './request-template.ts';

/** One request that was run. */
export interface HistoryEntry {
  readonly accountId: string;
  /** The entry's name in the catalogue. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly status?: number | undefined;
  readonly milliseconds: number;
  readonly bytes: number;
  /** The sent parameters, query and body; after a restart without the body, which is never stored. */
  readonly request: RequestParts;
}

const stateKey = 'apiExplorer.history';
const kept = 50;
/** Values of fields with such names are not stored. */
const secretNames = /token|secret|password|passwd|api_?key|credential|authorization/i;

const stored = v.array(
  v.object({
    accountId: v.string(),
    name: v.string(),
    method: v.string(),
    path: v.string(),
    at: v.number(),
    status: v.optional(v.number()),
    milliseconds: v.number(),
    bytes: v.number(),
    request: v.object({ params: v.optional(v.unknown()), query: v.optional(v.unknown()) }),
  }),
);

/** The last requests, newest first. Bodies and secrets stay in memory. */
export class RunHistory implements Disposable {
  readonly #state: StateStore;
  readonly #entries: Store<readonly HistoryEntry[]>;

  constructor(state: StateStore) {
    this.#state = state;
    const known = v.safeParse(stored, state.get(stateKey));
    this.#entries = new Store<readonly HistoryEntry[]>(known.success ? known.output : []);
  }

  get entries(): ReadonlyStore<readonly HistoryEntry[]> {
    return this.#entries;
  }

  async add(entry: HistoryEntry): Promise<void> {
    this.#entries.set([entry, ...this.#entries.value].slice(0, kept));
    await this.#state.set(
      stateKey,
      this.#entries.value.map(({ request, ...facts }) => ({ ...facts, request: storable(request) })),
    );
  }

  dispose(): void {
    this.#entries.dispose();
  }
}

function storable({ params, query }: RequestParts): RequestParts {
  return {
    ...(params === undefined ? {} : { params: withoutSecrets(params) }),
    ...(query === undefined ? {} : { query: withoutSecrets(query) }),
  };
}

function withoutSecrets(part: unknown): unknown {
  if (!isObject(part)) return undefined;
  return Object.fromEntries(Object.entries(part).filter(([name]) => !secretNames.test(name)));
}
