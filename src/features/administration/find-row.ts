import type { Client } from '#api/client.ts';
import { listEmbedTenantUsers } from '#api/embed.ts';
import { scimGroupPages, scimUserPages } from '#api/lists.ts';
import { listItems, type PageLoader } from '#api/pagination.ts';
import * as toRow from './read-rows.ts';
import { type AdminRow, type RowType, typeLabels } from './rows.ts';
import { UserError } from '#shell/user-error.ts';

/** Types that the platform has no operation to read one of: only its lists say what they are. */
export const listedTypes = ['user', 'group', 'embedUser'] as const satisfies readonly RowType[];
export type ListedType = (typeof listedTypes)[number];

/** Of which row a document was, in names and ids alone. */
export interface RowName {
  readonly type: RowType;
  readonly id: string;
  readonly name: string;
  readonly tenant?: string | undefined;
}

/** More rows than a view asks for at a time: they are not shown, one of them is searched for. */
const pageSize = 500;

/** Finds a row in its list (docs/platform-api.md#scim). Throws `UserError` when it is gone. */
export async function findRow(client: Client, row: RowName & { readonly type: ListedType }): Promise<AdminRow> {
  const found = await soughtRow(client, row);
  if (found) return found;
  throw new UserError(`The ${typeLabels[row.type]} “${row.name}” no longer exists.`);
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
