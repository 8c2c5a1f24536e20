import type { FolderSync } from '#sync/core/folder-sync.ts';

type Sync = Pick<FolderSync, 'flush' | 'plan' | 'push'>;

/** Whether neither the branch nor what was last agreed on has a file that is not here: saving it makes it on the branch. */
export async function isNewOnBranch(sync: Sync, path: string): Promise<boolean> {
  const { entries } = await sync.plan();
  return !entries.some((entry) => entry.path === path);
}

/**
 * Deletes a file on the branch that is gone here, and nothing else; a user must have asked for just that. The platform
 * checks that it is still the version that was sent. What cannot be done now stays in the push plan.
 */
export async function takeBackFile(sync: Sync, path: string): Promise<void> {
  // It may be on its way there at this moment.
  await sync.flush();
  const plan = await sync.plan();
  const isGone = plan.entries.some((entry) => entry.kind === 'deleteRemote' && entry.path === path);
  if (isGone) await sync.push(plan, new Set([path]));
}
