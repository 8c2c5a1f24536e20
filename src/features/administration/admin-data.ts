import type { AccountClients, Client } from '#api/client/client.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { Emitter, type Event } from '#base/event.ts';
import { PagedList } from '#features/platform/index.ts';
import type { StateStore } from '#shell/ports.ts';
import { KnownGroups } from './embed-groups.ts';
import { type LoadRows, listLoader, tablePageSize } from './lists.ts';
import { type AdminList, type AdminRow, listKey } from './rows.ts';

interface AdminDataOptions {
  readonly data: AccountClients;
  /** Stores the ids of embed groups, which the platform does not list. */
  readonly state: StateStore;
}

interface Loaded {
  readonly accountId: string;
  readonly list: AdminList;
  readonly rows: PagedList<AdminRow>;
  readonly owned: DisposableStore;
}

/** Selects the lists to load again. */
type IsMeant = (accountId: string, list: AdminList) => boolean;

/** The lists of the Administration view: loaded when they are opened, and cached until their account is signed out. */
export class AdminData implements Disposable {
  readonly groups: KnownGroups;
  readonly #data: AccountClients;
  readonly #loaded = new Map<string, Loaded>();
  /** Fires when a list is opened or closed. */
  readonly #changed = new Emitter<void>();
  readonly #refreshed = new Emitter<IsMeant>();

  constructor({ data, state }: AdminDataOptions) {
    this.#data = data;
    this.groups = new KnownGroups(state);
  }

  of(accountId: string, list: AdminList): PagedList<AdminRow> {
    const key = JSON.stringify([accountId, listKey(list)]);
    const known = this.#loaded.get(key);
    if (known) return known.rows;
    const owned = new DisposableStore();
    const rows = owned.add(new PagedList<AdminRow>(this.#loader(accountId, list)));
    this.#loaded.set(key, { accountId, list, rows, owned });
    this.#changed.fire();
    return rows;
  }

  /** Returns a list that was opened before; `undefined` if it was not. */
  known(accountId: string, list: AdminList): PagedList<AdminRow> | undefined {
    this.#changed.track();
    return this.#loaded.get(JSON.stringify([accountId, listKey(list)]))?.rows;
  }

  /** Reloads the opened lists that `isMeant` selects, after a change or when the user asks for it. */
  async refresh(isMeant: IsMeant = () => true): Promise<void> {
    this.#refreshed.fire(isMeant);
    const meant = [...this.#loaded.values()].filter(({ accountId, list }) => isMeant(accountId, list));
    await Promise.all(meant.map(({ rows }) => rows.refresh()));
  }

  /** Fires when lists are reloaded, so that tables that show them reload too. */
  get onDidRefresh(): Event<IsMeant> {
    return this.#refreshed.event;
  }

  /** Returns a loader for a table, which stores its rows itself. */
  tableRows(accountId: string, list: AdminList): LoadRows {
    return this.#loader(accountId, list, tablePageSize);
  }

  /** Drops the lists of accounts that are signed out. */
  keepOnly(accountIds: ReadonlySet<string>): void {
    for (const [key, { accountId, owned }] of this.#loaded) {
      if (accountIds.has(accountId)) continue;
      owned.dispose();
      this.#loaded.delete(key);
    }
    this.#changed.fire();
  }

  dispose(): void {
    this.keepOnly(new Set());
    this.#changed.dispose();
    this.#refreshed.dispose();
  }

  /** Asks for the client at each load, because a new key of an account creates a new client. */
  #loader(accountId: string, list: AdminList, size?: number): LoadRows {
    let made: { readonly client: Client; readonly load: LoadRows } | undefined;
    return async (after, signal) => {
      const client = this.#data.client(accountId);
      if (made?.client !== client) {
        const groupIds = (): readonly string[] => ('tenant' in list ? this.groups.of(accountId, list.tenant) : []);
        made = { client, load: listLoader(client, list, groupIds, size) };
      }
      return made.load(after, signal);
    };
  }
}
