import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import type { ListNode, NoteNode, RowNode } from '#features/administration/admin-tree.ts';
import { type AdminList, type AdminRow, listLabels } from '#features/administration/rows.ts';
import { adminError } from '#features/administration/admin-error.ts';
import type { PagedList } from '#features/platform/index.ts';
import { Hint } from '#shell/user-error.ts';
import type { TreeRow } from '#shell/targets.ts';
import { pickAccount } from '#features/accounts/vscode/index.ts';
import type { AdminHandlerDeps } from './deps.ts';

/** The rows that a command acts on: of one account and one type. */
export interface ChosenRows {
  readonly accountId: string;
  readonly list: AdminList;
  readonly rows: readonly [AdminRow, ...AdminRow[]];
}

/** Returns the selected rows of the clicked row's type; `undefined` if the command came from the Command Palette. */
export function chosenRows(row: TreeRow | undefined, selection: readonly TreeRow[] = []): ChosenRows | undefined {
  const [first, ...others] = [...(row ? [row] : []), ...selection].filter(isRow);
  if (!first) return undefined;
  const same = others.filter(
    ({ id, accountId, row }) => id !== first.id && accountId === first.accountId && row.type === first.row.type,
  );
  return { accountId: first.accountId, list: first.list, rows: [first.row, ...same.map(({ row }) => row)] };
}

function isRow(row: TreeRow): row is RowNode {
  return row.kind === 'adminRow';
}

/** Narrows a node to one that belongs to a list: the list itself, or a message row in it. */
export function listOfNode(row: TreeRow | undefined): Pick<ListNode | NoteNode, 'accountId' | 'list'> | undefined {
  return row && isOfList(row) ? row : undefined;
}

function isOfList(row: TreeRow): row is ListNode | NoteNode {
  return row.kind === 'adminList' || row.kind === 'adminNote';
}

/** Asks which account to administer if there are several. */
export async function chooseAccount(services: AdminHandlerDeps): Promise<string | undefined> {
  if (services.accounts.all.value.length === 0) {
    throw new Hint('Sign in to a tenant first.', { title: 'Sign In', command: 'modelbench.signIn' });
  }
  return (await pickAccount(services, 'Which account do you want to administer?'))?.id;
}

type RowItem = vscode.QuickPickItem & { readonly row?: AdminRow };

/** Asks for rows of a list, page by page; `many`: several can be chosen. */
export async function pickRows(
  services: AdminHandlerDeps,
  accountId: string,
  list: AdminList,
  options: {
    readonly placeHolder: string;
    readonly many: boolean;
    readonly offers?: (row: AdminRow) => boolean;
  },
): Promise<ChosenRows | undefined> {
  const loaded = services.admin.of(accountId, list);
  for (;;) {
    const items = await itemsOf(loaded, list, options.offers ?? (() => true));
    const picked = await showPick(items, options);
    if (picked?.some(({ row }) => row === undefined)) {
      await loaded.loadMore();
      continue;
    }
    const [first, ...others] = (picked ?? []).flatMap(({ row }) => row ?? []);
    return first && { accountId, list, rows: [first, ...others] };
  }
}

async function itemsOf(
  loaded: PagedList<AdminRow>,
  list: AdminList,
  offers: (row: AdminRow) => boolean,
): Promise<readonly RowItem[]> {
  await loaded.ensure();
  const { value, error } = loaded.state.value;
  if (!value) throw adminError(error ?? new Error('Nothing was loaded.'), `read ${listLabels[list.list]}`);
  const items = value.items
    .filter((row) => offers(row))
    .map<RowItem>((row) => ({ label: textOf(row.name), description: textOf(row.detail), row }));
  if (items.length === 0 && value.next === undefined)
    throw new Hint(`There are no ${listLabels[list.list]} to choose from.`);
  return value.next === undefined ? items : [...items, { label: text`$(ellipsis) Load More…`, alwaysShow: true }];
}

async function showPick(
  items: readonly RowItem[],
  { placeHolder, many }: { readonly placeHolder: string; readonly many: boolean },
): Promise<readonly RowItem[] | undefined> {
  const options = { placeHolder: textOf(placeHolder), matchOnDescription: true };
  if (many) return vscode.window.showQuickPick(items, { ...options, canPickMany: true, ignoreFocusOut: true });
  const one = await vscode.window.showQuickPick(items, options);
  return one && [one];
}
