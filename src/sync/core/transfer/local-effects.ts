import type { Hash } from '#sync/core/hash.ts';
import type { ReplaceResult, StagedFile, SyncPorts, TrashCause } from '#sync/core/ports.ts';

/** `held`: an editor has unsaved changes in the file, so it is left as it is. */
export type LocalEffect = ReplaceResult | { readonly kind: 'held' };

type Ports = Pick<SyncPorts, 'files' | 'editors'>;

/**
 * Moves a staged version to its path if the file there still is `expected` (undefined = absent). The editors are
 * checked last: however long the caller has waited, a file with unsaved changes is never touched
 * (docs/sync.md#plan-recheck-editor). Throws `FileProblem` where the disk refuses.
 */
export async function replaceHere(
  { files, editors }: Ports,
  staged: StagedFile,
  expected: Hash | undefined,
  cause: TrashCause,
): Promise<LocalEffect> {
  if (!editors.dirty().has(staged.path)) return files.replace(staged, expected, cause);
  await files.discard(staged);
  return { kind: 'held' };
}

/** Moves a file to the trash, under the same conditions as {@link replaceHere}. */
export async function removeHere(
  { files, editors }: Ports,
  path: string,
  expected: Hash,
  cause: TrashCause,
): Promise<LocalEffect> {
  return editors.dirty().has(path) ? { kind: 'held' } : files.remove(path, expected, cause);
}

/** Renames a file, under the same conditions as {@link replaceHere}, for both names. */
export async function renameHere(
  { files, editors }: Ports,
  { from, to, expected }: { readonly from: string; readonly to: string; readonly expected: Hash },
): Promise<LocalEffect> {
  const dirty = editors.dirty();
  return dirty.has(from) || dirty.has(to) ? { kind: 'held' } : files.rename(from, to, expected);
}

/** Returns the message for a file that cannot be changed. */
export function heldText(path: string): string {
  return `${path} has unsaved changes in an editor. Save or revert them first.`;
}
