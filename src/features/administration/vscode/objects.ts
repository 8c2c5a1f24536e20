import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { openAddress } from '#shell/vscode/guarded/open-address.ts';
import { titleCase } from '#base/words.ts';
import type { Account } from '#features/accounts/index.ts';
import { creatable, newObject, nextNumber, refreshAfter } from '#features/administration/new-object.ts';
import type { CreatableType } from '#features/administration/object-documents.ts';
import { startConnection } from '#features/administration/connect-integration.ts';
import { rowDocuments, scimDocument, valuesOf } from '#features/administration/open-document.ts';
import { type AdminList, listLabels, typeLabels } from '#features/administration/rows.ts';
import { Hint } from '#shell/user-error.ts';
import { chooseAccount, type ChosenRows, pickRows } from './choose.ts';
import type { AdminHandlerDeps } from './deps.ts';
import { recipeOf } from '#features/administration/recipes.ts';

/** Returns the label of a list, as in the view. */
export function listLabel(list: AdminList['list']): string {
  return titleCase(listLabels[list]);
}

/** Opens rows as documents. */
export async function openRows(services: AdminHandlerDeps, { accountId, rows }: ChosenRows): Promise<void> {
  for (const { row, document } of await rowDocuments(services, accountId, rows)) {
    await services.documents.open(accountOf(services, accountId), document, {
      recipe: recipeOf(accountId, row),
      onSaved: async () => refreshAfter(services.admin, accountId, row.type),
    });
  }
}

/** Opens the attribute values of users. */
export async function openValues(services: AdminHandlerDeps, { accountId, rows }: ChosenRows): Promise<void> {
  for (const row of rows) {
    await services.documents.open(accountOf(services, accountId), await valuesOf(services, accountId, row), {
      recipe: recipeOf(accountId, row, 'values'),
      onSaved: () => Promise.resolve(),
    });
  }
}

/** Shows users as SCIM provisioned them. */
export async function openScim(services: AdminHandlerDeps, { accountId, rows }: ChosenRows): Promise<void> {
  for (const row of rows) {
    await services.documents.open(accountOf(services, accountId), scimDocument(row), {
      recipe: recipeOf(accountId, row, 'scim'),
      onSaved: () => Promise.resolve(),
    });
  }
}

/** Opens the document of a new object: of the type in the given list, or of a type that the user chooses. */
export async function create(
  services: AdminHandlerDeps,
  parent: { readonly accountId: string; readonly list: AdminList } | undefined,
): Promise<void> {
  const accountId = parent?.accountId ?? (await chooseAccount(services));
  if (accountId === undefined) return;
  const type = (parent && creatable[parent.list.list]) ?? (await pickType());
  if (!type) return;
  const named = parent && 'tenant' in parent.list ? parent.list.tenant : undefined;
  const tenant = type === 'embedGroup' ? (named ?? (await pickTenant(services, accountId))) : undefined;
  if (type === 'embedGroup' && tenant === undefined) return;
  const { document, options } = newObject(services, accountId, { type, number: nextNumber(), tenant });
  await services.documents.open(accountOf(services, accountId), document, options);
}

async function pickType(): Promise<CreatableType | undefined> {
  const items = Object.values(creatable).map((type) => ({ label: textOf(titleCase(typeLabels[type])), type }));
  return (await vscode.window.showQuickPick(items, { placeHolder: text`What do you want to create?` }))?.type;
}

/** Asks for an embed tenant. */
export async function pickTenant(services: AdminHandlerDeps, accountId: string): Promise<string | undefined> {
  const options = { placeHolder: text`Which embed tenant?`, many: false };
  return (await pickRows(services, accountId, { list: 'embedTenants' }, options))?.rows[0].id;
}

/** Starts the OAuth flow of an integration, which continues in a browser. */
export async function connect(services: AdminHandlerDeps, { accountId, rows }: ChosenRows): Promise<void> {
  const [{ id, name }] = rows;
  const url = await startConnection(services, accountId, id);
  if (!(await openAddress(url, accountOf(services, accountId).tenantUrl))) return;
  await refreshAfter(services.admin, accountId, 'oauthToken');
  vscode.window.setStatusBarMessage(
    text`$(link-external) Finish connecting “${name}” in the browser, then refresh`,
    10_000,
  );
}

/** Returns the account of a row; throws `UserError` if it is signed out. */
export function accountOf({ accounts }: AdminHandlerDeps, accountId: string): Account {
  const account = accounts.get(accountId);
  if (account) return account;
  throw new Hint('That account is signed out.', { title: 'Sign In', command: 'modelbench.signIn' });
}
