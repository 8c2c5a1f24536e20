import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { readableTime } from '#base/timestamps.ts';
import { text, textOf } from '#base/user-text.ts';
import type { Account } from '#features/accounts/index.ts';
import type { Catalogue } from '#features/api-explorer/catalogue.ts';
import type { Catalogues } from '#features/api-explorer/catalogues.ts';
import { originText } from '#features/api-explorer/explorer-tree.ts';
import type { HistoryEntry } from '#features/api-explorer/history.ts';
import { Hint } from '#shell/user-error.ts';
import { signIn } from '#features/accounts/vscode/index.ts';
import type { ExplorerDeps } from './deps.ts';

/** Returns the account of the shown deployment, or else the first account. */
export function currentAccount({ accounts, session }: Pick<ExplorerDeps, 'accounts' | 'session'>): Account | undefined {
  return accounts.get(session.active.value?.accountId ?? '') ?? accounts.all.value[0];
}

/** Like `currentAccount`, but asks the user to sign in if there is no account. */
export async function signedInAccount(services: ExplorerDeps): Promise<Account | undefined> {
  return currentAccount(services) ?? signIn(services);
}

/** Asks for an operation; resolves to its name in the catalogue. */
export async function pickOperation(catalogues: Catalogues, accountId: string): Promise<string | undefined> {
  const items = catalogues
    .get(accountId)
    // If the server cannot be reached, the documented operations are still there.
    .catch(() => catalogues.now(accountId))
    .then((catalogue) => operationItems(catalogue));
  const picked = await vscode.window.showQuickPick(items, {
    title: text`API Explorer`,
    placeHolder: text`Which operation? Type part of its name, path or summary`,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.name;
}

type OperationItem = vscode.QuickPickItem & { readonly name?: string };

function operationItems({ entries }: Catalogue): readonly OperationItem[] {
  const items: OperationItem[] = [];
  const tags = [...new Set(entries.map(({ op }) => op.tag))];
  for (const tag of tags) {
    items.push({ label: textOf(tag), kind: vscode.QuickPickItemKind.Separator });
    for (const entry of entries) {
      const { op, name } = entry;
      if (op.tag !== tag) continue;
      const detail = [op.summary, originText(entry)].filter((text) => text !== '').join(' · ');
      items.push({ label: textOf(op.id), description: text`${op.method} ${op.path}`, detail: textOf(detail), name });
    }
  }
  return items;
}

/** Asks for a request that was sent before. */
export async function pickHistory(
  entries: readonly HistoryEntry[],
  accounts: readonly Account[],
): Promise<HistoryEntry | undefined> {
  const known = entries.filter(({ accountId }) => accounts.some(({ id }) => id === accountId));
  if (known.length === 0)
    throw new Hint('No request has been sent yet. Open one with “Modelbench: Open API Explorer…”.');
  const items = known.map((entry) => ({
    label: textOf(entry.name),
    description: text`${entry.status ?? 'no answer'} · ${entry.milliseconds} ms · ${readableTime(entry.at, { seconds: true })}`,
    detail: text`${entry.method} ${entry.path}`,
    entry,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: text`API Request History`,
    placeHolder: text`Which request do you want to open again? Bodies are not kept when the window closes`,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.entry;
}
