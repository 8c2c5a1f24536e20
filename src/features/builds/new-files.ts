import type { FolderSync } from '#sync/core/folder-sync.ts';

type Sync = Pick<FolderSync, 'flush' | 'plan' | 'push'>;

/**
 * Checks whether a file that does not exist locally is unknown to the branch and to the last synced state, too, so that saving it
 * creates it on the branch.
 */
export async function isNewOnBranch(sync: Sync, path: string): Promise<boolean> {
  const { entries } = await sync.plan();
  return !entries.some((entry) => entry.path === path);
}

/**
 * Deletes on the branch a file that was deleted locally, and nothing else. Call it only at the user's request for this file. The
 * platform checks that the file is still the version that was uploaded. If the deletion is not possible now, it stays in the push
 * plan.
 */
export async function takeBackFile(sync: Sync, path: string): Promise<void> {
  // An upload of the file may be in progress.
  await sync.flush();
  const plan = await sync.plan();
  const isGone = plan.entries.some((entry) => entry.kind === 'deleteRemote' && entry.path === path);
  if (isGone) await sync.push(plan, new Set([path]));
}
