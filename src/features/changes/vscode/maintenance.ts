import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import { baseName } from '#base/path.ts';
import { discardChanges as discard } from '#features/changes/discard.ts';
import { undoLast as undo } from '#features/changes/undo-last.ts';
import { type SyncSession, withTrash } from '#features/folders/index.ts';
import { execute, executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import {
  openFolderFiles,
  fileUri,
  offerRestore,
  type RemoteDocuments,
  type RestoreDeps,
  showOutcome,
  type SyncReport,
} from '#features/folders/vscode/index.ts';
import { confirm } from '#shell/vscode/protection.ts';
import type { ReportDeps } from './deps.ts';

/** Opens a page that explains why a file is or is not synced. */
export async function showExplanation(
  deps: Pick<ReportDeps, 'documents'>,
  { folder }: SyncSession,
  path: string,
): Promise<void> {
  await showReport(deps.documents, folder.folderId, { kind: 'explain', path });
}

/** Opens the page with the sync history of a folder. */
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

/** Discards local changes, and offers to restore what that replaced or deleted. */
export async function discardChanges(deps: RestoreDeps, session: SyncSession, paths: readonly string[]): Promise<void> {
  const { folder } = session;
  const { folderId } = folder;
  const discarded = await discard(
    {
      ...deps,
      files: openFolderFiles(folder),
      confirm: async (question) => confirm({ ...question, button: 'Discard Change' }),
      openChange: async (path) => execute('modelbench.openChange', { folderId, path }),
    },
    session,
    paths,
  );
  if (discarded === 'declined') return;
  if (discarded === 'noChange') {
    void vscode.window.showInformationMessage(
      paths.length === 1
        ? text`“${baseName(paths[0] ?? '')}” has no local change to discard.`
        : text`None of these files has a local change to discard.`,
    );
    return;
  }
  deps.documents.refresh();
  const { status, trashed, message } = discarded;
  if (status !== 'done' || trashed.length === 0) {
    showOutcome({ ...discarded, message: withTrash(discarded) });
    return;
  }
  const kept = trashed.length === 1 ? 'Your version is' : `Your ${trashed.length} versions are`;
  offerRestore(deps, session, `${message} ${kept} in the trash.`, trashed);
}

/** Undoes the last push or pull after the user has reviewed its files. */
export async function undoLast(deps: RestoreDeps, session: SyncSession, action: 'push' | 'pull'): Promise<void> {
  const { folder } = session;
  const open = async (path: string): Promise<void> =>
    executeBuiltIn('vscode.open', fileUri({ folderId: folder.folderId, path }));
  const undone = await undo({ ...deps, files: openFolderFiles(folder), open }, session, action);
  if (undone === 'declined') return;
  if (undone === 'nothing') {
    void vscode.window.showInformationMessage(
      text`There is no ${action} to undo in the sync history of “${folder.name}”.`,
    );
    return;
  }
  deps.documents.refresh();
  showOutcome(undone);
}

/** Opens a report and rebuilds it, because VS Code shows a page that is still open as it was. */
async function showReport(documents: RemoteDocuments, folderId: string, report: SyncReport): Promise<void> {
  const document = await vscode.workspace.openTextDocument(documents.report(folderId, report));
  await vscode.window.showTextDocument(document, { preview: true });
  documents.refresh();
}
