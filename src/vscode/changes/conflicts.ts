import * as vscode from 'vscode';
import { baseName } from '#base/path.ts';
import type { SyncSession } from '#features/sync-sessions.ts';
import { UserError } from '#features/user-error.ts';
import type { FileTarget } from '#protocol/targets.ts';
import type { Resolution } from '#sync/folder-sync.ts';
import { fileUri } from '../link/folder-uris.ts';
import type { Services } from '../services.ts';
import { openChange } from './open-change.ts';

/** Opens VS Code's three-way merge editor on a conflict; a diff where the host has none or one side has no text. */
export async function mergeConflict(services: Services, file: FileTarget): Promise<void> {
  const session = sessionOf(services, file);
  const conflict = session.sync.status.value.conflicts.find(({ path }) => path === file.path);
  if (!conflict) throw new UserError(`“${baseName(file.path)}” is not in conflict any more.`);
  if (conflict.local === undefined || conflict.remote === undefined) {
    await openChange(services, file);
    return;
  }
  const output = fileUri(file);
  const { documents } = services;
  const mine = documents.keepMine(file, (await vscode.workspace.openTextDocument(output)).getText());
  documents.refresh();
  try {
    await vscode.commands.executeCommand('_open.mergeEditor', {
      base: documents.uri(file, 'base'),
      input1: { uri: documents.uri(file, 'remote'), title: 'Platform', description: session.target.branchName },
      input2: { uri: mine, title: 'Local', description: 'this folder' },
      output,
    });
  } catch {
    // The command is VS Code's own and other editors may lack it.
    await openChange(services, file);
  }
}

/** Settles a conflict one way; what it replaces here goes to the trash. */
export async function resolveConflict(services: Services, file: FileTarget, choice: Resolution): Promise<void> {
  const session = sessionOf(services, file);
  const name = baseName(file.path);
  const outcome = await services.operations.run({
    label: `Resolving ${name}`,
    key: file.folderId,
    run: async ({ signal }) => session.sync.resolve(file.path, choice, { signal }),
  });
  if (outcome.status !== 'done') throw new UserError(outcome.message);
  await closeMerge(name);
  const left = session.sync.status.value.conflicts.length;
  const rest = left === 0 ? 'no conflicts left' : `${left} left`;
  vscode.window.setStatusBarMessage(`$(check) Resolved ${name}; ${rest}`, 5000);
}

/** Closes the merge editor of a file that is settled; VS Code tells other extensions nothing of it but its title. */
async function closeMerge(name: string): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const merging = tabs.filter((tab) => tab.input === undefined && !tab.isDirty && tab.label.endsWith(`: ${name}`));
  if (merging.length > 0) await vscode.window.tabGroups.close(merging);
}

/** Takes the file as it is on the disk now as the merged version. */
export async function markResolved(services: Services, file: FileTarget): Promise<void> {
  const uri = fileUri(file);
  const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
  if (document?.isDirty) await document.save();
  const merged = await vscode.workspace.fs.readFile(uri);
  if (/^(<{7}|>{7}) /m.test(new TextDecoder().decode(merged))) {
    throw new UserError(`“${baseName(file.path)}” still has conflict markers. Finish the merge first.`);
  }
  await resolveConflict(services, file, { merged });
}

/** The conflict of the argument, else asks for one. */
export async function conflictOrPick(
  services: Services,
  file: FileTarget | undefined,
): Promise<FileTarget | undefined> {
  if (file) return file;
  const items = services.syncs.all.value.flatMap(({ folder, sync }) =>
    sync.status.value.conflicts.map(({ path }) => ({
      label: baseName(path),
      description: path,
      file: { folderId: folder.folderId, path },
    })),
  );
  if (items.length === 0) throw new UserError('There are no conflicts.');
  if (items.length === 1) return items[0]?.file;
  return (await vscode.window.showQuickPick(items, { placeHolder: 'Which conflict?' }))?.file;
}

function sessionOf({ syncs }: Services, file: FileTarget): SyncSession {
  const session = syncs.ofFolder(file.folderId);
  if (session) return session;
  throw new UserError('This folder is not in sync with a dev branch.', {
    title: 'Start Dev Mode',
    command: 'modelbench.devMode.start',
  });
}
