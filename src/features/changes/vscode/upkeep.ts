import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import { baseName } from '#base/path.ts';
import { plural } from '#base/words.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { lastToUndo } from '#sync/core/history.ts';
import { direction, type PlanEntry } from '#sync/core/plan.ts';
import { withTrash } from '#features/folders/trash.ts';
import { UserError } from '#shell/user-error.ts';
import { fileUri } from '#features/folders/vscode/folder-uris.ts';
import { confirm } from '#shell/vscode/protection.ts';
import { showOutcome } from '#features/folders/vscode/transfer.ts';
import { offerRestore } from '#features/folders/vscode/trash.ts';
import type { ReportDeps, UpkeepDeps } from './deps.ts';

/** Opens a page that says why a file is or is not synced. */
export async function showExplanation(
  deps: Pick<ReportDeps, 'documents'>,
  { folder }: SyncSession,
  path: string,
): Promise<void> {
  await showReport(deps.documents.report(folder.folderId, { kind: 'explain', path }));
}

/** Opens the page of what sync did with a folder. */
export async function showHistory(deps: Pick<ReportDeps, 'documents'>, { folder }: SyncSession): Promise<void> {
  await showReport(deps.documents.report(folder.folderId, { kind: 'history' }));
}

/** Reads and hashes every file, compares it with the platform, and opens the result. */
export async function verifyEverything(deps: ReportDeps, session: SyncSession): Promise<void> {
  const { operations, documents } = deps;
  await operations.run({
    label: 'Verifying all files',
    key: session.folder.folderId,
    cancellable: true,
    run: async ({ signal }) => session.sync.plan({ verify: true, signal }),
  });
  await showReport(documents.report(session.folder.folderId, { kind: 'verified' }));
}

/** Undoes the last push or pull after saying what that means. */
export async function undoLast(deps: ReportDeps, session: SyncSession, action: 'push' | 'pull'): Promise<void> {
  const { sync, folder, target } = session;
  const run = lastToUndo(await sync.upkeep.history(), action);
  if (!run) {
    void vscode.window.showInformationMessage(
      text`There is no ${action} to undo in the sync history of “${folder.name}”.`,
    );
    return;
  }
  const what = plural(run.applied.length, 'file');
  const when = new Date(run.time).toLocaleString();
  const detail =
    action === 'push'
      ? `“${target.branchName}” gets its earlier versions back. Your files here stay as they are and become local changes again.`
      : 'Your files get their earlier versions back. The current versions go to the trash.';
  const isSure = await confirm({
    title: `Undo the ${action} of ${what} (${when})?`,
    detail: `${detail} If one of the files has changed since, nothing is undone.`,
    button: action === 'push' ? 'Undo Push' : 'Undo Pull',
  });
  if (!isSure) return;
  const outcome = await deps.operations.run({
    label: `Undoing the last ${action}`,
    key: folder.folderId,
    cancellable: true,
    run: async ({ signal }) => sync.upkeep.undoLast(action, { signal }),
  });
  deps.documents.refresh();
  showOutcome(outcome);
}

/** Takes local changes back after asking; the local versions can be restored. */
export async function discardChanges(deps: UpkeepDeps, session: SyncSession, paths: readonly string[]): Promise<void> {
  const { sync, folder, target } = session;
  const changes = await changesAt(deps, session, paths);
  const [only] = changes;
  if (!only) {
    void vscode.window.showInformationMessage(
      paths.length === 1
        ? text`“${baseName(paths[0] ?? '')}” has no local change to discard.`
        : text`None of these files has a local change to discard.`,
    );
    return;
  }
  const unsaved = unsavedOf(folder.folderId, changes);
  if (unsaved !== undefined)
    throw new UserError(`“${baseName(unsaved)}” has unsaved changes in an editor. Save or revert them, then discard.`);
  const isSure = await confirm({
    title:
      changes.length === 1
        ? `Discard your change of “${baseName(only.path)}”?`
        : `Discard your changes of ${changes.length} files?`,
    detail: discardDetail(changes, target.branchName),
    button: changes.length === 1 ? 'Discard Change' : `Discard ${changes.length} Changes`,
  });
  if (!isSure) return;
  const outcome = await deps.operations.run({
    label: text`Discarding local changes`,
    key: folder.folderId,
    run: async ({ signal }) => sync.upkeep.discard(new Set(changes.map(({ path }) => path)), { signal }),
  });
  deps.documents.refresh();
  if (outcome.status !== 'done' || outcome.trashed.length === 0) {
    showOutcome({ ...outcome, message: withTrash(outcome) });
    return;
  }
  const kept = outcome.trashed.length === 1 ? 'Your version is' : `Your ${outcome.trashed.length} versions are`;
  offerRestore(deps, session, `${outcome.message} ${kept} in the trash.`, outcome.trashed);
}

/** The local changes of these files; compared anew where a file has none that is known. */
async function changesAt(
  { operations }: Pick<ReportDeps, 'operations'>,
  { sync, folder, target }: SyncSession,
  paths: readonly string[],
): Promise<readonly PlanEntry[]> {
  const chosen = new Set(paths);
  const known = (): readonly PlanEntry[] =>
    sync.status.value.localChanges.filter((entry) => direction(entry) === 'push' && chosen.has(entry.path));
  if (known().length < chosen.size) {
    await operations.run({
      label: `Comparing with ${target.branchName}`,
      key: folder.folderId,
      cancellable: true,
      run: async ({ signal }) => sync.plan({ signal }),
    });
  }
  return known();
}

/** Sync never writes below unsaved changes. */
function unsavedOf(folderId: string, changes: readonly PlanEntry[]): string | undefined {
  const open = new Set(
    vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri.toString()),
  );
  return changes.find(({ path }) => open.has(fileUri({ folderId, path }).toString()))?.path;
}

/** What discarding does, which for a new file is to delete it. */
function discardDetail(changes: readonly PlanEntry[], branchName: string): string {
  const isNew = (entry: PlanEntry): boolean => entry.kind === 'upload' && entry.expectedRemote === undefined;
  const added = changes.filter(isNew).length;
  const trash = 'What that replaces or deletes here goes to the trash, where you can restore it.';
  if (changes.length === 1)
    return added === 1
      ? `“${branchName}” does not have this file, so it is deleted here. It goes to the trash, where you can restore it.`
      : `The file becomes the same as on “${branchName}” again. ${trash}`;
  const news = added === 0 ? '' : `; ${plural(added, 'new file')} ${added === 1 ? 'is' : 'are'} deleted`;
  return `The files become the same as on “${branchName}” again${news}. ${trash}`;
}

async function showReport(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: true });
}
