import type { AccountClients, Client } from '#api/client/client.ts';
import { getEmbedTenantGroup } from '#api/resources/embed.ts';
import { isPlatformError } from '#api/errors.ts';
import { mapLimited } from '#base/async.ts';
import type { StateStore } from '#shell/ports.ts';
import { adminError } from './admin-error.ts';
import { embedGroup } from './read-rows.ts';
import type { AdminRow } from './rows.ts';

/** The number of groups that are read at the same time. */
const atOnce = 4;

/** Reads the known groups of an embed tenant (docs/platform-api.md#getembedtenantgroup); deleted groups are left out. */
export async function readEmbedGroups(
  client: Client,
  tenant: string,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<readonly AdminRow[]> {
  const read = await mapLimited(ids, atOnce, async (id) => readEmbedGroup(client, tenant, id, signal));
  return read.filter((row) => row !== undefined);
}

/** Reads a group of an embed tenant by its id; `undefined` if it does not exist. */
export async function findEmbedGroup(
  { data }: { readonly data: AccountClients },
  { accountId, tenant, id }: { readonly accountId: string; readonly tenant: string; readonly id: string },
  signal?: AbortSignal,
): Promise<AdminRow | undefined> {
  try {
    return await readEmbedGroup(data.client(accountId), tenant, id.trim(), signal);
  } catch (error) {
    throw adminError(error, 'read groups of embed tenants');
  }
}

async function readEmbedGroup(
  client: Client,
  embedTenantName: string,
  id: string,
  signal?: AbortSignal,
): Promise<AdminRow | undefined> {
  try {
    const params = { embedTenantName, id };
    return embedGroup(await client.call(getEmbedTenantGroup, { params }, { signal }), embedTenantName);
  } catch (error) {
    if (isPlatformError(error, 'notFound')) return undefined;
    throw error;
  }
}

/**
 * The groups of embed tenants that the user created or opened here. The platform reads, changes and deletes groups by id but does
 * not list them.
 */
export class KnownGroups {
  readonly #state: StateStore;

  constructor(state: StateStore) {
    this.#state = state;
  }

  of(accountId: string, tenant: string): readonly string[] {
    const kept = this.#state.get(keyOf(accountId, tenant));
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [];
  }

  async add(accountId: string, tenant: string, id: string): Promise<void> {
    const known = this.of(accountId, tenant);
    if (!known.includes(id)) await this.#state.set(keyOf(accountId, tenant), [...known, id]);
  }

  async remove(accountId: string, tenant: string, id: string): Promise<void> {
    const left = this.of(accountId, tenant).filter((each) => each !== id);
    await this.#state.set(keyOf(accountId, tenant), left.length === 0 ? undefined : left);
  }
}

function keyOf(accountId: string, tenant: string): string {
  return `administration.groups ${JSON.stringify([accountId, tenant])}`;
}
