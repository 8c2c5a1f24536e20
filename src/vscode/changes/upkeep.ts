import * as vscode from '#vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import { baseName } from '#base/path.ts';
import { plural } from '#base/words.ts';
import type { SyncSession } from '#features/sync-sessions.ts';
import { lastToUndo } from '#sync/history.ts';
import { direction } from '#sync/plan.ts';
import { UserError } from '#features/user-error.ts';
import { confirm } from '../protection.ts';
import type { Services } from '../services.ts';
import { showOutcome } from './transfer.ts';
import { offerRestore } from './trash.ts';

/** Opens a page that says why a file is or is not synced. */
export async function showExplanation(services: Services, { folder }: SyncSession, path: string): Promise<void> {
  await showReport(services.documents.report(folder.folderId, { kind: 'explain', path }));
}

/** Opens the page of what sync did with a folder. */
export async function showHistory(services: Services, { folder }: SyncSession): Promise<void> {
  await showReport(services.documents.report(folder.folderId, { kind: 'history' }));
}

/** Reads and hashes every file, compares it with the platform, and opens the result. */
export async function verifyEverything(services: Services, session: SyncSession): Promise<void> {
  const { operations, documents } = services;
  await operations.run({
    label: 'Verifying all files',
    key: session.folder.folderId,
    cancellable: true,
    run: async ({ signal }) => session.sync.plan({ verify: true, signal }),
  });
  await showReport(documents.report(session.folder.folderId, { kind: 'verified' }));
}

/** Undoes the last push or pull after saying what that means. */
export async function undoLast(services: Services, session: SyncSession, action: 'push' | 'pull'): Promise<void> {
  const { sync, folder, target } = session;
  const run = lastToUndo(await sync.upkeep.history(), action);
  if (!run) throw new UserError(`There is no ${action} to undo in the sync history of “${folder.name}”.`);
  const what = plural(run.applied.length, 'file');
  const when = new Date(run.time).toLocaleString();
  const detail =
    action === 'push'
      ? `“${target.branchName}” gets the versions that it had before. Your files here stay as they are and count as local changes again.`
      : 'Your files get the versions that they had before. What is here now goes to the trash.';
  const isSure = await confirm({
    title: `Undo the ${action} of ${what} (${when})?`,
    detail: `${detail} Nothing is undone if one of the files changed since.`,
    button: action === 'push' ? 'Undo Push' : 'Undo Pull',
  });
  if (!isSure) return;
  const outcome = await services.operations.run({
    label: `Undoing the last ${action}`,
    key: folder.folderId,
    cancellable: true,
    run: async ({ signal }) => sync.upkeep.undoLast(action, { signal }),
  });
  services.documents.refresh();
  showOutcome(outcome);
}

/** Takes local changes back after asking; the local versions can be restored. */
export async function discardChanges(
  services: Services,
  session: SyncSession,
  paths: readonly string[],
): Promise<void> {
  const { sync, folder, target } = session;
  const chosen = new Set(paths);
  const changes = sync.status.value.localChanges.filter(
    (entry) => direction(entry) === 'push' && chosen.has(entry.path),
  );
  const [only] = changes;
  if (!only) throw new UserError('There is no local change to discard here. Compare with the platform and try again.');
  const isSure = await confirm({
    title:
      changes.length === 1
        ? `Discard your change of “${baseName(only.path)}”?`
        : `Discard your changes of ${changes.length} files?`,
    detail: `The platform’s versions on “${target.branchName}” take their place. Your versions go to the trash, from where they can be restored.`,
    button: changes.length === 1 ? 'Discard Change' : `Discard ${changes.length} Changes`,
  });
  if (!isSure) return;
  const outcome = await services.operations.run({
    label: text`Discarding local changes`,
    key: folder.folderId,
    run: async ({ signal }) => sync.upkeep.discard(new Set(changes.map(({ path }) => path)), { signal }),
  });
  services.documents.refresh();
  if (outcome.status === 'done' && outcome.trashed.length > 0) {
    const kept = outcome.trashed.length === 1 ? 'Your version is' : `Your ${outcome.trashed.length} versions are`;
    offerRestore(services, session, `${outcome.message} ${kept} in the trash.`, outcome.trashed);
  } else showOutcome(outcome);
}

async function showReport(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: true });
}
