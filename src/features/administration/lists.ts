import type { Client } from '#api/client/client.ts';
import { listEmbedTenantGroupUsers, listEmbedTenants, listEmbedTenantUsers } from '#api/resources/embed.ts';
import { scimGroupPages, scimUserPages } from '#api/resources/lists.ts';
import { listOauthIntegrations, listUserOauthTokens } from '#api/resources/oauth.ts';
import { listOidcTokenConfigs } from '#api/resources/oidc.ts';
import type { PageLoader } from '#api/resources/pagination.ts';
import { listUserAttributes } from '#api/resources/user-attributes.ts';
import { unreachable } from '#base/result.ts';
import type { Paged } from '#features/platform/index.ts';
import { readEmbedGroups } from './embed-groups.ts';
import * as toRow from './read-rows.ts';
import type { AdminList, AdminRow, TopList } from './rows.ts';

/** Rows per page of a tree: about two screens, even if the platform returns the whole list at once. */
const pageSize = 50;

/** Rows per page of a table, which loads all of them. */
export const tablePageSize = 500;

export type LoadRows = (after: string | undefined, signal?: AbortSignal) => Promise<Paged<AdminRow>>;

/**
 * Returns a loader that reads a list page by page (docs/platform-api.md#lists). Users come from SCIM, because no other operation
 * lists them. `groupIds`: the known groups of an embed tenant, which the platform reads but does not list.
 */
export function listLoader(
  client: Client,
  list: AdminList,
  groupIds: () => readonly string[],
  size: number = pageSize,
): LoadRows {
  switch (list.list) {
    case 'embedUsers': {
      const params = { embedTenantName: list.tenant };
      return inSlices(size, async (signal) => {
        const { data } = await client.call(listEmbedTenantUsers, { params }, { signal });
        return data.map((user) => toRow.embedUser(user, list.tenant));
      });
    }
    case 'embedGroups':
      return inSlices(size, async (signal) => readEmbedGroups(client, list.tenant, groupIds(), signal));
    case 'members': {
      const params = { embedTenantName: list.tenant, id: list.groupId };
      return inSlices(size, async (signal) => {
        const { data } = await client.call(listEmbedTenantGroupUsers, { params }, { signal });
        return data.map((user) => toRow.embedUser(user, list.tenant));
      });
    }
    default:
      return topRows(client, list.list, size);
  }
}

function topRows(client: Client, list: TopList, size: number): LoadRows {
  switch (list) {
    case 'users':
      return inPages(size, scimUserPages(client), toRow.user);
    case 'groups':
      return inPages(size, scimGroupPages(client), toRow.group);
    case 'attributes':
      return inSlices(size, async (signal) =>
        (await client.call(listUserAttributes, {}, { signal })).data.map((each) => toRow.attribute(each)),
      );
    case 'settings':
      return () => Promise.resolve({ items: toRow.settings, next: undefined });
    case 'oauthIntegrations':
      return inSlices(size, async (signal) =>
        (await client.call(listOauthIntegrations, {}, { signal })).data.map((each) => toRow.oauthIntegration(each)),
      );
    case 'oauthTokens':
      return inSlices(size, async (signal) => {
        const [{ data: tokens }, { data: integrations }] = await Promise.all([
          client.call(listUserOauthTokens, {}, { signal }),
          client.call(listOauthIntegrations, {}, { signal }),
        ]);
        const names = new Map(integrations.map(({ id, name }) => [id, name ?? id]));
        return tokens.map((token) => toRow.oauthToken(token, names));
      });
    case 'oidcConfigs':
      return inSlices(size, async (signal) =>
        (await client.call(listOidcTokenConfigs, {}, { signal })).data.map((each) => toRow.oidcConfig(each)),
      );
    case 'embedTenants':
      return inSlices(size, async (signal) =>
        (await client.call(listEmbedTenants, {}, { signal })).data.map((each) => toRow.embedTenant(each)),
      );
    default:
      return unreachable(list);
  }
}

function inPages<T>(size: number, load: PageLoader<T>, read: (item: T) => AdminRow): LoadRows {
  return async (after, signal) => {
    const page = await load({ size, after, signal });
    return { items: page.items.map(read), next: page.next };
  };
}

/** Reads an unpaged list once and returns it in slices, so that a view never draws ten thousand rows at once. */
function inSlices(size: number, load: (signal: AbortSignal | undefined) => Promise<readonly AdminRow[]>): LoadRows {
  let all: readonly AdminRow[] = [];
  return async (after, signal) => {
    if (after === undefined) all = await load(signal);
    const start = Number(after ?? 0);
    const end = start + size;
    return { items: all.slice(start, end), next: end < all.length ? String(end) : undefined };
  };
}
