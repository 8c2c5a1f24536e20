import { heldText, replaceHere } from '#sync/core/transfer/local-effects.ts';
import type { SyncOutcome } from '#sync/core/folder-sync.ts';
import type { SyncPorts, TrashItem } from '#sync/core/ports.ts';
import { refused, refusedByDisk, outcomeWith } from '#sync/core/transfer/sync-run.ts';

/**
 * Restores a trashed version; the current file at its path goes to the trash. For the platform, this is a change like
 * any other.
 */
export async function restoreVersion(
  { ports }: { readonly ports: Pick<SyncPorts, 'trash' | 'editors' | 'files' | 'hasher'> },
  { id, path }: TrashItem,
): Promise<SyncOutcome> {
  const bytes = await ports.trash.read(id);
  if (!bytes) return refused(`The stored version of ${path} is no longer there.`);
  if (ports.editors.dirty().has(path)) {
    return refused(heldText(path));
  }
  const now = await ports.files.stateOf(path);
  if (now.kind === 'frozen') return refused(`${path} cannot be replaced (${now.reason}).`);
  const hash = ports.hasher.hash(bytes);
  if (now.kind === 'file' && now.hash === hash) return outcomeWith('done', `${path} is that version already.`);
  try {
    const staged = await ports.files.stage(path, bytes, hash);
    const result = await replaceHere(ports, staged, now.kind === 'file' ? now.hash : undefined, 'restore');
    if (result.kind === 'held') return refused(heldText(path));
    if (result.kind === 'changed') return refused(`${path} changed in the meantime. Try again.`);
    await ports.files.sync([path]);
    const trashed = result.backup === undefined ? [] : [result.backup];
    return { ...outcomeWith('done', `Restored ${path}.`), trashed };
  } catch (error) {
    return refusedByDisk(error);
  }
}
