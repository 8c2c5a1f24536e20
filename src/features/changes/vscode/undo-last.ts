import { text } from '#base/user-text.ts';
import { undoRows, type UndoRow } from '#features/changes/undo-rows.ts';
import { fileReview, type SyncSession } from '#features/folders/index.ts';
import { exists, fileUri, modelTexts, type RestoreDeps, showOutcome } from '#features/folders/vscode/index.ts';
import type { RowTexts } from '#features/review/index.ts';
import { Hint } from '#shell/user-error.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { type HistoryRun, lastToUndo } from '#sync/core/history.ts';

/** Undoes the last push or pull after showing what becomes of each of its files. */
export async function undoLast(deps: RestoreDeps, session: SyncSession, action: 'push' | 'pull'): Promise<void> {
  const { sync, folder } = session;
  const run = lastToUndo(await sync.upkeep.history(), action);
  if (!run) {
    void vscode.window.showInformationMessage(
      text`There is no ${action} to undo in the sync history of “${folder.name}”.`,
    );
    return;
  }
  if (!(await isReviewed(deps, session, run, action))) return;
  // A page may be open for long: a later run is not undone unseen.
  if (lastToUndo(await sync.upkeep.history(), action)?.id !== run.id) {
    throw new Hint(
      `This was not the last ${action} any more, so nothing was undone. Undo again to review the newer one.`,
    );
  }
  const outcome = await deps.operations.run({
    label: `Undoing the last ${action}`,
    key: folder.folderId,
    cancellable: true,
    run: async ({ signal }) => sync.upkeep.undoLast(action, { signal }),
  });
  deps.documents.refresh();
  showOutcome(outcome);
}

/** Shows the page; answers whether the user wants it. */
async function isReviewed(
  { filePages }: Pick<RestoreDeps, 'filePages'>,
  session: SyncSession,
  run: HistoryRun,
  action: 'push' | 'pull',
): Promise<boolean> {
  const { sync, folder, target } = session;
  const steps = await sync.upkeep.undoSteps(run);
  const rows = new Map(undoRows(steps).map((row) => [row.row.id, row]));
  const isPush = action === 'push';
  const [there, verb] = isPush ? [target.branchName, 'Push'] : [folder.name, 'Pull'];
  const lost = steps.lost.length > 0 ? 'An earlier version is no longer stored, so nothing can be undone.' : '';
  const { source, answer } = fileReview({
    key: `undo ${folder.folderId}`,
    title: `Undo last ${action} of ${folder.name}`,
    from: `before ${new Date(run.time).toLocaleString()}`,
    to: there,
    heading: `Undo on ${there}`,
    note: noteOf(session, action),
    whyNot: lost,
    rows: [...rows.values()].map(({ row }) => row),
    button: (files) => `Undo ${verb} of ${files}`,
    texts: async (id) => textsOf(session, action, rows.get(id)),
    diff: async (id) => openHere(folder.folderId, id),
    model: {
      ...filePages.model,
      laterPath: (id) => rows.get(id)?.laterPath ?? id,
      others: async () =>
        modelTexts(folder, new Set([...rows.values()].flatMap(({ row, laterPath }) => [row.id, laterPath]))),
    },
  });
  await filePages.open(source);
  return (await answer) !== undefined;
}

function noteOf({ target }: SyncSession, action: 'push' | 'pull'): string {
  const detail =
    action === 'push'
      ? `“${target.branchName}” gets its earlier versions back. Your files here stay as they are and become local changes again.`
      : 'Your files get their earlier versions back. The current versions go to the trash.';
  return `${detail} If one of the files has changed since, nothing is undone.`;
}

/** What the file is now, by what this machine knows, and what it becomes. */
async function textsOf(
  { sync, folder: { folderId } }: SyncSession,
  action: 'push' | 'pull',
  undone: UndoRow | undefined,
): Promise<RowTexts> {
  if (!undone) return { before: undefined, after: undefined, note: 'This file is not changed.' };
  const { row, bytes, isThere } = undone;
  if (row.kind === 'none') return { before: undefined, after: undefined, note: row.note ?? '' };
  const uri = fileUri({ folderId, path: row.id });
  const here = async (): Promise<Uint8Array | undefined> =>
    (await exists(uri)) ? vscode.workspace.fs.readFile(uri) : undefined;
  const now = isThere.now ? await (action === 'push' ? sync.baseContent(row.id) : here()) : undefined;
  const before = now && new TextDecoder().decode(now);
  if (!isThere.later) return { before, after: undefined };
  return { before, after: bytes ? new TextDecoder().decode(bytes) : before };
}

async function openHere(folderId: string, path: string): Promise<void> {
  const uri = fileUri({ folderId, path });
  if (!(await exists(uri)))
    throw new Hint(`“${path}” is not in this folder now. Its earlier version is shown on this page.`);
  await executeBuiltIn('vscode.open', uri);
}
