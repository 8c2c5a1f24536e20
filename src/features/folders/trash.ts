import { readableTime } from '#base/timestamps.ts';
import { baseName, dirName } from '#base/path.ts';
import { formatBytes, plural } from '#base/words.ts';
import type { SyncOutcome } from '#sync/core/folder-sync.ts';
import type { TrashItem } from '#sync/core/ports.ts';
import { causeText } from '#sync/core/undo/trash-cause.ts';

/** The retention of the trash, as shown to the user. */
export const retention = 'Stored for 30 days, up to 1 GB; the newest of each file stays';

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
