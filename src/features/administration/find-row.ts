import type { Client } from '#api/client/client.ts';
import { listEmbedTenantUsers } from '#api/resources/embed.ts';
import { scimGroupPages, scimUserPages } from '#api/resources/lists.ts';
import { listItems, type PageLoader } from '#api/resources/pagination.ts';
import * as toRow from './read-rows.ts';
import { type AdminRow, type RowType, typeLabels } from './rows.ts';
import { UserError } from '#shell/user-error.ts';

/** Types whose objects the platform cannot read one at a time: only its lists have their fields. */
export const listedTypes = ['user', 'group', 'embedUser'] as const satisfies readonly RowType[];
export type ListedType = (typeof listedTypes)[number];

/** Identifies the row of a document by names and ids alone. */
export interface RowName {
  readonly type: RowType;
  readonly id: string;
  readonly name: string;
  readonly tenant?: string | undefined;
}

/** Larger than the pages of a view: the rows are not shown, only searched. */
const pageSize = 500;

/** Finds a row in its list (docs/platform-api.md#scim). Throws `UserError` if it no longer exists. */
export async function findRow(client: Client, row: RowName & { readonly type: ListedType }): Promise<AdminRow> {
  const found = await soughtRow(client, row);
  if (found) return found;
  throw new UserError(`The ${typeLabels[row.type]} “${row.name}” no longer exists.`);
}

/**
 * Resolves to the user or the group that a member of a group stands for, or to the member itself if no list has it: a group's members
 * are only named by id (docs/platform-api.md#scim).
 */
export async function memberRow(client: Client, member: AdminRow): Promise<AdminRow> {
  const { id, name } = member;
  const types = member.fields['type'] === 'Group' ? (['group', 'user'] as const) : (['user', 'group'] as const);
  for (const type of types) {
    const found = await soughtRow(client, { type, id, name });
    if (found) return found;
  }
  return member;
}

async function soughtRow(
  client: Client,
  { type, id, tenant = '' }: RowName & { readonly type: ListedType },
): Promise<AdminRow | undefined> {
  if (type === 'embedUser') {
    const { data } = await client.call(listEmbedTenantUsers, { params: { embedTenantName: tenant } });
    const user = data.find((each) => each.id === id);
    return user && toRow.embedUser(user, tenant);
  }
  if (type === 'user') {
    const user = await sought(scimUserPages(client), id);
    return user && toRow.user(user);
  }
  const group = await sought(scimGroupPages(client), id);
  return group && toRow.group(group);
}

async function sought<T extends { readonly id: string }>(load: PageLoader<T>, id: string): Promise<T | undefined> {
  for await (const item of listItems(load, { pageSize })) if (item.id === id) return item;
  return undefined;
}
