import type { Client } from '#api/client/client.ts';
import { addEmbedTenantGroupUsers } from '#api/resources/embed.ts';
import { adminError } from './admin-error.ts';

/** Adds users of an embed tenant to one of its groups (docs/platform-api.md#addembedtenantgroupusers). */
export async function addGroupMembers(
  client: Client,
  { tenant, id }: { readonly tenant: string; readonly id: string },
  userIds: readonly string[],
): Promise<void> {
  const params = { embedTenantName: tenant, id };
  try {
    await client.call(addEmbedTenantGroupUsers, { params, body: { userIds: [...userIds] } });
  } catch (error) {
    throw adminError(error, 'change the members of this group');
  }
}
