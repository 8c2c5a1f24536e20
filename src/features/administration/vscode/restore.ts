import { valuesDocument } from '#features/administration/attribute-values.ts';
import type { AdminDocument } from '#features/administration/document.ts';
import { findRow, type ListedType, listedTypes, type RowName } from '#features/administration/find-row.ts';
import { documentOf, scimDocument } from '#features/administration/open-document.ts';
import type { AdminRow } from '#features/administration/rows.ts';
import { UserError } from '#shell/user-error.ts';
import type { PlatformDocument } from '#shell/vscode/documents/platform-document.ts';
import type { AdminHandlerDeps } from './deps.ts';
import { newObject, refreshAfter } from './objects.ts';
import { type AdminRecipe, readRecipe } from '#features/administration/recipes.ts';

/** Makes the document of an earlier window. Throws `UserError` where its account is signed out or its object is gone. */
export async function restoredDocument(
  services: AdminHandlerDeps,
  stored: unknown,
  path: string,
): Promise<PlatformDocument | undefined> {
  const recipe = readRecipe(stored);
  if (!recipe) return undefined;
  const { accountId } = recipe;
  const account = services.accounts.get(accountId);
  if (!account) throw new UserError('You are signed out of the tenant of this document. Sign in, then open it again.');
  if (recipe.shows === 'new') {
    const { document, options } = newObject(services, accountId, recipe);
    return services.documents.fileOf(account, document, options, path);
  }
  const onSaved = async (): Promise<void> => refreshAfter(services, accountId, recipe.row.type);
  return services.documents.fileOf(account, await made(services, recipe), { recipe, onSaved }, path);
}

async function made(
  { data }: AdminHandlerDeps,
  { accountId, shows, row }: Exclude<AdminRecipe, { readonly shows: 'new' }>,
): Promise<AdminDocument> {
  const client = data.client(accountId);
  if (shows === 'values') return valuesDocument(client, unread(row));
  const found = isListed(row) ? await findRow(client, row) : unread(row);
  return shows === 'scim' ? scimDocument(found) : documentOf(client, found);
}

const isListed = (row: RowName): row is RowName & { readonly type: ListedType } =>
  listedTypes.some((type) => type === row.type);

/** A row of which the document reads the rest by its id. */
const unread = (row: RowName): AdminRow => ({ ...row, detail: '', fields: {} });
