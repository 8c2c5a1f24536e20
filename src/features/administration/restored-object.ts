import type { Client } from '#api/client/client.ts';
import { valuesDocument } from './attribute-values.ts';
import type { AdminDocument, OpenOptions } from './document.ts';
import { findRow, type ListedType, listedTypes, type RowName } from './find-row.ts';
import { newObject, type ObjectPorts, refreshAfter } from './new-object.ts';
import { documentOf, scimDocument } from './open-document.ts';
import type { AdminRecipe } from './recipes.ts';
import type { AdminRow } from './rows.ts';

/** Creates the document of an earlier window again. Throws `UserError` if its object no longer exists. */
export async function restoredObject(
  ports: ObjectPorts,
  recipe: AdminRecipe,
): Promise<{ readonly document: AdminDocument; readonly options: OpenOptions }> {
  const { accountId } = recipe;
  if (recipe.shows === 'new') return newObject(ports, accountId, recipe);
  const document = await made(ports.data.client(accountId), recipe);
  const onSaved = async (): Promise<void> => refreshAfter(ports.admin, accountId, recipe.row.type);
  return { document, options: { recipe, onSaved } };
}

async function made(
  client: Client,
  { shows, row }: Exclude<AdminRecipe, { readonly shows: 'new' }>,
): Promise<AdminDocument> {
  if (shows === 'values') return valuesDocument(client, unread(row));
  const found = isListed(row) ? await findRow(client, row) : unread(row);
  return shows === 'scim' ? scimDocument(found) : documentOf(client, found);
}

const isListed = (row: RowName): row is RowName & { readonly type: ListedType } =>
  listedTypes.some((type) => type === row.type);

/** Creates a row with no fields, for a document that reads them by the row's id. */
const unread = (row: RowName): AdminRow => ({ ...row, detail: '', fields: {} });
