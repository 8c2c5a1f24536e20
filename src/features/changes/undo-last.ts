import { readableTime } from '#base/timestamps.ts';
import { type FilePages, fileReview, type FolderFiles, type SyncSession } from '#features/folders/index.ts';
import { type RowTexts, textsOfBytes } from '#features/review/index.ts';
import type { Operations } from '#shell/operations.ts';
import { Hint } from '#shell/user-error.ts';
import type { SyncOutcome } from '#sync/core/folder-sync.ts';
import { type HistoryRun, lastToUndo } from '#sync/core/undo/history.ts';
import { undoRows, type UndoRow } from './undo-rows.ts';

/** The dependencies of {@link undoLast}. */
export interface UndoPorts {
  readonly files: FolderFiles;
  readonly filePages: FilePages;
  readonly operations: Operations;
  /** Opens a file of the folder. */
  readonly open: (path: string) => Promise<unknown>;
}

/**
 * Undoes the last push or pull after the user has reviewed the effect on its files. Throws `Hint` if a later run ended during the
 * review.
 */
export async function undoLast(
  ports: UndoPorts,
  session: SyncSession,
  action: 'push' | 'pull',
): Promise<SyncOutcome | 'nothing' | 'declined'> {
  const { sync, folder } = session;
  const run = lastToUndo(await sync.maintenance.history(), action);
  if (!run) return 'nothing';
  if (!(await isReviewed(ports, session, run, action))) return 'declined';
  // A page may stay open for long: a later run must not be undone unseen.
  if (lastToUndo(await sync.maintenance.history(), action)?.id !== run.id) {
    throw new Hint(
      `This was not the last ${action} any more, so nothing was undone. Undo again to review the newer one.`,
    );
  }
  return ports.operations.run({
    label: `Undoing the last ${action}`,
    key: folder.folderId,
    cancellable: true,
    run: async ({ signal }) => sync.maintenance.undoLast(action, { signal }),
  });
}

/** Shows the page; resolves to whether the user confirms it. */
async function isReviewed(
  ports: UndoPorts,
  session: SyncSession,
  run: HistoryRun,
  action: 'push' | 'pull',
): Promise<boolean> {
  const { files, filePages } = ports;
  const { sync, folder, target } = session;
  const steps = await sync.maintenance.undoSteps(run);
  const rows = new Map(undoRows(steps).map((row) => [row.row.id, row]));
  const isPush = action === 'push';
  const [there, verb] = isPush ? [target.branchName, 'Push'] : [folder.name, 'Pull'];
  const lost = steps.lost.length > 0 ? 'An earlier version is no longer stored, so nothing can be undone.' : '';
  const { source, answer } = fileReview({
    key: `undo ${folder.folderId}`,
    accountId: target.accountId,
    title: `Undo last ${action} of ${folder.name}`,
    from: `before ${readableTime(run.time, { seconds: true })}`,
    to: there,
    heading: `Undo on ${there}`,
    note: noteOf(session, action),
    whyNot: lost,
    rows: [...rows.values()].map(({ row }) => row),
    button: (some) => `Undo ${verb} of ${some}`,
    texts: async (id) => textsOf(ports, session, action, rows.get(id)),
    diff: async (id) => openHere(ports, id),
    model: {
      ...filePages.model,
      laterPath: (id) => rows.get(id)?.laterPath ?? id,
      others: async () =>
        files.modelsWithout(new Set([...rows.values()].flatMap(({ row, laterPath }) => [row.id, laterPath]))),
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

/** Resolves to the current text of the file, as this machine knows it, and its text after the undo. */
async function textsOf(
  { files }: Pick<UndoPorts, 'files'>,
  { sync }: SyncSession,
  action: 'push' | 'pull',
  undone: UndoRow | undefined,
): Promise<RowTexts> {
  if (!undone) return { before: undefined, after: undefined, note: 'This file is not changed.' };
  const { row, bytes, isThere } = undone;
  if (row.kind === 'none') return { before: undefined, after: undefined, note: row.note ?? '' };
  const read = action === 'push' ? sync.baseContent(row.id) : files.read(row.id);
  const before = isThere.now ? await read : undefined;
  return textsOfBytes(before, isThere.later ? (bytes ?? before) : undefined);
}

async function openHere({ files, open }: UndoPorts, path: string): Promise<void> {
  if (!(await files.read(path)))
    throw new Hint(`“${path}” is not in this folder now. Its earlier version is shown on this page.`);
  await open(path);
}
