import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { comparableUrl } from '#features/accounts/index.ts';
import type { FolderLink, LinkedFolder } from '#features/platform/index.ts';
import { Hint } from '#shell/user-error.ts';
import type { FolderTarget } from '#shell/targets.ts';
import type { FolderAccountDeps } from './deps.ts';

type Linked = LinkedFolder & { readonly link: FolderLink };
/** Asks which account a linked folder uses, if the user has several at its tenant. */
export async function chooseFolderAccount(deps: FolderAccountDeps, target: FolderTarget | undefined): Promise<void> {
  const folder = await pickLinked(deps, target);
  if (!folder) return;
  const { tenantUrl } = folder.link;
  const candidates = deps.accounts.all.value.filter(
    (account) => comparableUrl(account.tenantUrl) === comparableUrl(tenantUrl),
  );
  if (candidates.length === 0) {
    throw new Hint(`You are not signed in to ${tenantUrl}, the tenant of “${folder.name}”.`, {
      title: text`Sign In`,
      command: 'modelbench.signIn',
    });
  }
  const present = deps.session.targetOf(folder)?.accountId;
  const picked = await vscode.window.showQuickPick(
    candidates.map(({ id, label }) => ({
      label: textOf(label),
      description: textOf(id === present ? text`current` : undefined),
      id,
    })),
    {
      title: text`Account of “${folder.name}”`,
      placeHolder: text`Which account of ${tenantUrl} do you want to use for this folder? The choice is not shared with others.`,
    },
  );
  if (!picked) return;
  await deps.session.bind(folder.folderId, picked.id);
  vscode.window.setStatusBarMessage(text`$(check) “${folder.name}” now uses ${picked.label}`, 5000);
}

async function pickLinked(
  { session }: FolderAccountDeps,
  target: FolderTarget | undefined,
): Promise<Linked | undefined> {
  const linked = session.links.value.flatMap((folder) => (folder.link ? [{ ...folder, link: folder.link }] : []));
  if (target) return linked.find(({ folderId }) => folderId === target.folderId);
  if (linked.length === 0) {
    throw new Hint('No folder of this window is linked to a deployment.', {
      title: text`Link Folder`,
      command: 'modelbench.linkFolder',
    });
  }
  if (linked.length === 1) return linked[0];
  const items = linked.map((folder) => ({
    label: textOf(folder.name),
    description: textOf(folder.link.tenantUrl),
    folder,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder: text`Which linked folder?` }))?.folder;
}
