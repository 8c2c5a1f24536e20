import { readableTime } from '#base/timestamps.ts';
import { baseName, dirName } from '#base/path.ts';
import { formatBytes, plural } from '#base/words.ts';
import type { SyncOutcome } from '#sync/core/folder-sync.ts';
import type { TrashCause, TrashItem } from '#sync/core/ports.ts';

/** The retention of the trash, as shown to the user. */
export const retention = 'Stored for 30 days, up to 1 GB; the newest version of each file always stays';

/** A stored version as texts. */
export interface TrashRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly item: TrashItem;
}

/** Returns stored versions as rows, newest first: all of them, those of one file, or those that one run moved to the trash. */
export function trashRows(
  items: readonly TrashItem[],
  only: { readonly path?: string | undefined; readonly ids?: readonly string[] | undefined } = {},
): readonly TrashRow[] {
  return items
    .filter(({ id, path }) => (only.path ?? path) === path && (only.ids?.includes(id) ?? true))
    .sort((a, b) => b.time - a.time)
    .map((item) => ({
      label: baseName(item.path),
      description: dirName(item.path),
      detail: [readableTime(item.time, { seconds: true }), causeText(item), formatBytes(item.size)].join(' · '),
      item,
    }));
}

const replacedBy: Readonly<Record<TrashCause, string>> = {
  pull: 'replaced by the platform’s version',
  resolve: 'replaced when a conflict was resolved',
  restore: 'replaced by a restored version',
  agentProposal: 'replaced by an agent proposal',
  discard: 'replaced when local changes were discarded',
  push: 'the platform’s version, replaced by a push',
  keepMine: 'the platform’s version, replaced by yours',
  deploy: 'the platform’s version, replaced by a deploy',
  branchEdit: 'replaced when a document of the branch was saved',
  settledPull: 'replaced while a pull with resolved conflicts ran',
};

const deletedBy: Readonly<Record<TrashCause, string>> = {
  pull: 'deleted on the platform',
  resolve: 'deleted when a conflict was resolved',
  restore: 'deleted when a pull was undone',
  agentProposal: 'deleted by an agent proposal',
  discard: 'deleted when local changes were discarded',
  push: 'the platform’s version, deleted by a push',
  keepMine: 'the platform’s version, deleted by your choice',
  deploy: 'the platform’s version, deleted by a deploy',
  branchEdit: 'deleted on the branch',
  settledPull: 'deleted while a pull with resolved conflicts ran',
};

/** Returns why a version is in the trash. */
export function causeText({ cause, deleted }: Pick<TrashItem, 'cause' | 'deleted'>): string {
  if (cause === undefined) return 'replaced or deleted by sync';
  return (deleted ? deletedBy : replacedBy)[cause];
}

/** Returns the versions to restore of the chosen ones: the newest of each file. */
export function versionsToRestore(chosen: readonly TrashItem[]): readonly TrashItem[] {
  const newest = new Map<string, TrashItem>();
  for (const item of chosen) {
    const other = newest.get(item.path);
    if (!other || other.time < item.time) newest.set(item.path, item);
  }
  return [...newest.values()];
}

/** Whether a run deleted something from the folder that the user may want back; the trash is then offered. */
export function deletedLocally({ applied, trashed }: Pick<SyncOutcome, 'applied' | 'trashed'>): boolean {
  return trashed.length > 0 && applied.some(({ kind }) => kind === 'deleteLocal');
}

/** Returns a run's message, with the number of versions that it moved to the trash. */
export function withTrash({ message, trashed }: Pick<SyncOutcome, 'message' | 'trashed'>): string {
  if (trashed.length === 0) return message;
  return `${message} ${plural(trashed.length, 'earlier version is', 'earlier versions are')} in the trash.`;
}
