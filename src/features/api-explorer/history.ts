import * as v from 'valibot';
import { isObject } from '#api/schema.ts';
import { parsed } from '#base/parsed.ts';
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
    this.#entries = new Store<readonly HistoryEntry[]>(this.#stored());
  }

  get entries(): ReadonlyStore<readonly HistoryEntry[]> {
    return this.#entries;
  }

  async add(entry: HistoryEntry): Promise<void> {
    // What was erased since is in memory only, and must not be stored again.
    const names = new Set(this.#stored().map(nameOf));
    const others = this.#entries.value.filter((each) => names.has(nameOf(each)));
    this.#entries.set([entry, ...others].slice(0, kept));
    await this.#state.set(
      stateKey,
      this.#entries.value.map(({ request, ...facts }) => ({ ...facts, request: storable(request) })),
    );
  }

  /** Follows the accounts that are signed in: of the others nothing stays in memory, and what was erased does not come back. */
  keepOnly(accountIds: ReadonlySet<string>): void {
    const whole = new Map(this.#entries.value.map((entry) => [nameOf(entry), entry]));
    const signedIn = (entry: HistoryEntry): HistoryEntry | undefined =>
      accountIds.has(entry.accountId) ? whole.get(nameOf(entry)) : undefined;
    this.#entries.set(this.#stored().map((entry) => signedIn(entry) ?? entry));
  }

  dispose(): void {
    this.#entries.dispose();
  }

  #stored(): readonly HistoryEntry[] {
    return parsed(stored, this.#state.get(stateKey)) ?? [];
  }
}

/** Returns what tells requests apart. */
function nameOf({ accountId, name, at }: HistoryEntry): string {
  return JSON.stringify([accountId, name, at]);
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
