import type { SyncContext } from './context.ts';
import type { SyncOutcome } from './folder-sync.ts';
import type { TrashItem } from './ports.ts';
import { refused, told } from './run-log.ts';

/** Puts a trashed version back; what is in its place now goes to the trash. To the platform it is a change like any other. */
export async function restoreVersion({ ports }: SyncContext, item: TrashItem): Promise<SyncOutcome> {
  const bytes = await ports.trash.read(item.id);
  if (!bytes) return refused(`The kept version of ${item.path} is no longer there.`);
  const now = await ports.files.look(item.path);
  if (now.kind === 'frozen') return refused(`${item.path} cannot be replaced (${now.reason}).`);
  const staged = await ports.files.stage(item.path, bytes, item.hash);
  const result = await ports.files.replace(staged, now.kind === 'file' ? now.hash : undefined);
  if (result.kind === 'changed') return refused(`${item.path} changed at this moment. Try again.`);
  await ports.files.sync([item.path]);
  return told('done', `Restored ${item.path}.`);
}
