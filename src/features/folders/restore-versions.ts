import { baseName } from '#base/path.ts';
import { plural } from '#base/words.ts';
import { type ModelTexts, textsOfBytes } from '#features/review/index.ts';
import type { ReviewRow } from '#features/review/messages.ts';
import type { Operations } from '#shell/operations.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import type { TrashItem } from '#sync/core/ports.ts';
import { type FilePages, fileReview } from './file-review.ts';
import type { SyncSession } from './sync-sessions.ts';
import type { TrashRow } from './trash.ts';

/** A trash, and the files that its versions are compared with. */
export interface TrashSource {
  readonly accountId: string;
  /** The folder or the branch that it belongs to. */
  readonly name: string;
  /** Resolves to the file as it is now; `undefined` if there is none. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
  readonly exists: (path: string) => Promise<boolean>;
  /** Resolves to the content of a version; `undefined` if it is no longer in the trash. */
  readonly version: (id: string) => Promise<Uint8Array | undefined>;
  /** Resolves to the models other than the files at these paths. */
  readonly others: (named: ReadonlySet<string>) => Promise<ModelTexts>;
  /** Shows a version beside the file as it is now. */
  readonly compare: (item: TrashItem) => Promise<void>;
}

/**
 * Resolves to the versions to restore. A single file is restored at once, as Git does it: the trash stores the version that it
 * replaces. Several files are shown on a page first, because the user has not seen all of them.
 */
export async function reviewedVersions(
  filePages: FilePages,
  trash: TrashSource,
  rows: readonly TrashRow[],
  items: readonly TrashItem[],
): Promise<readonly TrashItem[]> {
  if (items.length < 2) return items;
  const byPath = new Map(items.map((item) => [item.path, item]));
  const { source, answer } = fileReview(
    {
      key: `trash ${trash.name}`,
      accountId: trash.accountId,
      title: `Restore from trash: ${trash.name}`,
      from: 'Trash',
      to: trash.name,
      heading: 'Restore',
      rows: await Promise.all(
        rows.filter(({ item }) => byPath.get(item.path) === item).map(async (row) => reviewRow(trash, row)),
      ),
      button: (files) => `Restore ${files}`,
      version: (path) => byPath.get(path)?.id ?? '',
      texts: async (path) => {
        const item = byPath.get(path);
        const after = item && (await trash.version(item.id));
        if (after === undefined) throw new Hint(`This version of ${path} is no longer in the trash.`);
        return textsOfBytes(await trash.read(path), after);
      },
      diff: async (path) => {
        const item = byPath.get(path);
        if (item) await trash.compare(item);
      },
      model: { ...filePages.model, others: async () => trash.others(new Set(byPath.keys())) },
    },
    filePages.unticked,
  );
  await filePages.open(source);
  const chosen = await answer;
  return items.filter(({ path }) => chosen?.has(path) ?? false);
}

async function reviewRow({ exists }: TrashSource, { item: { path, size }, detail }: TrashRow): Promise<ReviewRow> {
  const isThere = await exists(path);
  return { id: path, path, kind: isThere ? 'change' : 'add', canTick: true, size, note: detail };
}

/**
 * Restores versions in the folder, one after another; returns a short text about what was restored. Throws `UserError` with all
 * refusals after the other versions are restored.
 */
export async function restoreVersions(
  operations: Operations,
  { folder, sync }: SyncSession,
  items: readonly TrashItem[],
): Promise<string> {
  const refusals: string[] = [];
  let setAside = 0;
  await operations.run({
    label: 'Restoring from the trash',
    key: folder.folderId,
    run: async () => {
      for (const item of items) {
        const { status, message, trashed } = await sync.restore(item);
        setAside += trashed.length;
        if (status !== 'done') refusals.push(message);
      }
    },
  });
  if (refusals.length > 0) throw new UserError(refusals.join(' '));
  const [only] = items;
  const restored = items.length === 1 && only ? baseName(only.path) : plural(items.length, 'file');
  if (setAside === 0) return `Restored ${restored}`;
  return `Restored ${restored}; the replaced ${setAside === 1 ? 'version is' : 'versions are'} in the trash`;
}
