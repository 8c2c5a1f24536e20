import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import { isEqual } from '#base/equal.ts';
import { decodedText } from '#base/decoded-text.ts';
import { baseName } from '#base/path.ts';
import { fileReview, type SyncSession, withTrash } from '#features/folders/index.ts';
import { direction, type PlanEntry } from '#sync/core/plan.ts';
import type { ReviewRow } from '#features/review/messages.ts';
import type { FileTarget } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';
import {
  exists,
  fileUri,
  modelTexts,
  offerRestore,
  type RemoteDocuments,
  type RestoreDeps,
  showOutcome,
  type SyncReport,
} from '#features/folders/vscode/index.ts';
import { confirm } from '#shell/vscode/protection.ts';
import type { ReportDeps } from './deps.ts';

/** Opens a page that says why a file is or is not synced. */
export async function showExplanation(
  deps: Pick<ReportDeps, 'documents'>,
  { folder }: SyncSession,
  path: string,
): Promise<void> {
  await showReport(deps.documents, folder.folderId, { kind: 'explain', path });
}

/** Opens the page of what sync did with a folder. */
export async function showHistory(deps: Pick<ReportDeps, 'documents'>, { folder }: SyncSession): Promise<void> {
  await showReport(deps.documents, folder.folderId, { kind: 'history' });
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
  await showReport(documents, session.folder.folderId, { kind: 'verified' });
}

/** Takes local changes back after asking; the local versions can be restored. */
export async function discardChanges(deps: RestoreDeps, session: SyncSession, paths: readonly string[]): Promise<void> {
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
  refuseUnsaved(folder.folderId, changes);
  const chosen =
    changes.length === 1 ? await confirmOne(only, target.branchName) : await review(deps, session, changes);
  if (chosen.size === 0) return;
  // A page may be open for long: what was written since is not given up unseen.
  const seen = changes.filter(({ path }) => chosen.has(path));
  if (changes.length > 1) {
    refuseUnsaved(folder.folderId, seen);
    const now = await changesAt(deps, session, [...chosen]);
    const other = seen.find((entry) => !now.some((each) => isEqual(each, entry)));
    if (other) throw new Hint(`“${baseName(other.path)}” has changed since you reviewed it, so nothing was discarded.`);
  }
  const outcome = await deps.operations.run({
    label: text`Discarding local changes`,
    key: folder.folderId,
    run: async ({ signal }) => sync.upkeep.discard(chosen, { signal }),
  });
  deps.documents.refresh();
  if (outcome.status !== 'done' || outcome.trashed.length === 0) {
    showOutcome({ ...outcome, message: withTrash(outcome) });
    return;
  }
  const kept = outcome.trashed.length === 1 ? 'Your version is' : `Your ${outcome.trashed.length} versions are`;
  offerRestore(deps, session, `${outcome.message} ${kept} in the trash.`, outcome.trashed);
}

async function confirmOne(change: PlanEntry, branchName: string): Promise<ReadonlySet<string>> {
  const isSure = await confirm({
    title: `Discard your change of “${baseName(change.path)}”?`,
    detail: discardDetail(change, branchName),
    button: 'Discard Change',
  });
  return new Set(isSure ? [change.path] : []);
}

/** Several files are shown with their differences first; answers those that were still ticked when it was confirmed. */
async function review(
  { filePages }: Pick<RestoreDeps, 'filePages'>,
  { sync, folder, target }: SyncSession,
  changes: readonly PlanEntry[],
): Promise<ReadonlySet<string>> {
  const { folderId } = folder;
  const entries = new Map(changes.map((change) => [change.path, change]));
  const laterPath = (path: string): string => {
    const entry = entries.get(path);
    return entry?.kind === 'renameRemote' ? entry.from : path;
  };
  const { source, answer } = fileReview({
    key: `discard ${folderId}`,
    title: `Discard changes of ${folder.name}`,
    from: target.branchName,
    to: folder.name,
    heading: 'Become the same as on the branch',
    rows: changes.map(discardRow),
    button: (files) => `Discard Changes of ${files}`,
    texts: async (path) => ({
      before: await localText({ folderId, path }),
      after: decodedText(await sync.baseContent(laterPath(path))),
    }),
    diff: async (path) => execute('modelbench.openChange', { folderId, path }),
    model: { ...filePages.model, laterPath, others: async () => modelTexts(folder, new Set(entries.keys())) },
  });
  await filePages.open(source);
  return (await answer) ?? new Set();
}

/** What becomes of the file here. */
function discardRow(entry: PlanEntry): ReviewRow {
  const { path } = entry;
  const row = { id: path, path, canTick: true } as const;
  if (entry.kind === 'deleteRemote') return { ...row, kind: 'add', note: 'deleted here, comes back' };
  if (entry.kind === 'renameRemote') return { ...row, kind: 'change', note: `gets its name ${entry.from} back` };
  if (entry.kind === 'upload' && entry.expectedRemote === undefined) {
    return { ...row, kind: 'delete', note: 'new here, goes to the trash' };
  }
  return { ...row, kind: 'change' };
}

async function localText(file: FileTarget): Promise<string | undefined> {
  const uri = fileUri(file);
  return (await exists(uri)) ? decodedText(await vscode.workspace.fs.readFile(uri)) : undefined;
}

/** The local changes of these files; compared again where a file has none that is known. */
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
function refuseUnsaved(folderId: string, changes: readonly PlanEntry[]): void {
  const unsaved = unsavedOf(folderId, changes);
  if (unsaved === undefined) return;
  throw new Hint(`“${baseName(unsaved)}” has unsaved changes in an editor. Save or revert them, then discard.`);
}

function unsavedOf(folderId: string, changes: readonly PlanEntry[]): string | undefined {
  const open = new Set(
    vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri.toString()),
  );
  return changes.find(({ path }) => open.has(fileUri({ folderId, path }).toString()))?.path;
}

/** What discarding does, which for a new file is to delete it. */
function discardDetail(entry: PlanEntry, branchName: string): string {
  return entry.kind === 'upload' && entry.expectedRemote === undefined
    ? `“${branchName}” does not have this file, so it is deleted here. It goes to the trash, where you can restore it.`
    : `The file becomes the same as on “${branchName}” again. What that replaces or deletes here goes to the trash, where you can restore it.`;
}

/** A page that VS Code still has is shown as it was, so it is made again. */
async function showReport(documents: RemoteDocuments, folderId: string, report: SyncReport): Promise<void> {
  const document = await vscode.workspace.openTextDocument(documents.report(folderId, report));
  await vscode.window.showTextDocument(document, { preview: true });
  documents.refresh();
}
