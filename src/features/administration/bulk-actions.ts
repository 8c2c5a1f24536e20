import { bulkFailures } from '#api/resources/bulk-results.ts';
import type { Client } from '#api/client/client.ts';
import { deleteEmbedTenant, deleteEmbedTenantGroup, removeEmbedTenantGroupUsers } from '#api/resources/embed.ts';
import { deleteOauthIntegration, deleteUserOauthToken } from '#api/resources/oauth.ts';
import { deleteOidcTokenConfig } from '#api/resources/oidc.ts';
import { bulkUsers, type bulkUserActions, deleteUser } from '#api/resources/users.ts';
import { asError, isCancelled } from '#base/async.ts';
import { Hint } from '#shell/user-error.ts';
import { type AdminRow, typeLabels } from './rows.ts';
import { adminError } from './admin-error.ts';

export interface AdminOutcome {
  readonly done: readonly AdminRow[];
  readonly failed: readonly { readonly row: AdminRow; readonly error: string }[];
}

export type BulkUserAction = (typeof bulkUserActions)[number];

const actionLabels: Readonly<Record<BulkUserAction, string>> = {
  ACTIVATE: 'activate users',
  DEACTIVATE: 'deactivate users',
  DELETE: 'delete users',
};

/** Activates, deactivates or deletes users in one request; failures are reported per user (docs/platform-api.md#bulkusers). */
export async function actOnUsers(
  client: Client,
  action: BulkUserAction,
  users: readonly AdminRow[],
  signal?: AbortSignal,
): Promise<AdminOutcome> {
  const body = { action, ids: users.map(({ id }) => id) };
  const answer = await client.call(bulkUsers, { body }, { signal }).catch((error: unknown) => {
    throw adminError(error, actionLabels[action]);
  });
  const failed = bulkFailures(users, answer.results, (row, { id }) => id === row.id);
  return outcome(
    users,
    failed.map(({ item: row, error }) => ({ row, error })),
  );
}

/** The types of objects that can be deleted. */
export const deletable: ReadonlySet<AdminRow['type']> = new Set([
  'user',
  'oauthIntegration',
  'oauthToken',
  'oidcConfig',
  'embedTenant',
  'embedGroup',
]);

/**
 * Deletes rows; a failure does not stop the others. Several users are deleted in one request (docs/platform-api.md#bulkusers).
 */
export async function deleteRows(
  client: Client,
  rows: readonly AdminRow[],
  signal?: AbortSignal,
): Promise<AdminOutcome> {
  const users = rows.filter(({ type }) => type === 'user');
  if (users.length > 1 && users.length === rows.length) return actOnUsers(client, 'DELETE', users, signal);
  const failed: { row: AdminRow; error: string }[] = [];
  for (const row of rows) {
    try {
      await deleteRow(client, row, signal);
    } catch (error) {
      if (isCancelled(error)) throw error;
      failed.push({ row, error: adminError(asError(error), `delete this ${typeLabels[row.type]}`).message });
    }
  }
  return outcome(rows, failed);
}

async function deleteRow(client: Client, row: AdminRow, signal: AbortSignal | undefined): Promise<void> {
  const { type, id, tenant = '' } = row;
  const params = { id };
  switch (type) {
    case 'user':
      return client.call(deleteUser, { params }, { signal });
    case 'oauthIntegration':
      return client.call(deleteOauthIntegration, { params }, { signal });
    case 'oauthToken':
      return client.call(deleteUserOauthToken, { params: { integrationId: id } }, { signal });
    case 'oidcConfig':
      return client.call(deleteOidcTokenConfig, { params }, { signal });
    case 'embedTenant':
      return client.call(deleteEmbedTenant, { params: { embedTenantName: id } }, { signal });
    case 'embedGroup':
      return client.call(deleteEmbedTenantGroup, { params: { embedTenantName: tenant, id } }, { signal });
    default:
      throw new Hint(`The platform has no way to delete a ${typeLabels[type]}.`);
  }
}

/** Removes members from a group, all or none of them (docs/platform-api.md#removeembedtenantgroupusers). */
export async function removeMembers(
  client: Client,
  group: { readonly tenant: string; readonly groupId: string },
  members: readonly AdminRow[],
): Promise<void> {
  const params = { embedTenantName: group.tenant, id: group.groupId };
  const body = { userIds: members.map(({ id }) => id) };
  await client.call(removeEmbedTenantGroupUsers, { params, body }).catch((error: unknown) => {
    throw adminError(error, 'change the members of this group');
  });
}

function outcome(rows: readonly AdminRow[], failed: AdminOutcome['failed']): AdminOutcome {
  const lost = new Set(failed.map(({ row }) => row));
  return { done: rows.filter((row) => !lost.has(row)), failed };
}
