import { isDevBranch } from '#api/resources/branches.ts';
import type { BranchTarget, FolderTarget } from '#shell/targets.ts';
import { requireTrust } from '#shell/trust.ts';
import { Hint } from '#shell/user-error.ts';
import type { BranchFinder } from './step-ports.ts';

/** The argument of a command: a branch, or the linked folder that is on it. */
export type Given = BranchTarget | FolderTarget | undefined;

/**
 * Resolves to the requested or active dev branch after uploading everything that waits, so that a commit contains what the folder
 * holds.
 */
export async function readyBranch(deps: BranchFinder, given: Given): Promise<BranchTarget> {
  requireTrust(deps);
  const target = given ? branchOf(deps, given) : deps.session.activeTarget();
  if (!target || !isDevBranch(target.branchName)) {
    throw new Hint('This needs a personal dev branch, and none is active.', {
      title: 'Start Dev Mode',
      command: 'modelbench.devMode.start',
    });
  }
  for (const { sync } of deps.syncs.ofBranch(target)) await sync.flush();
  return target;
}

function branchOf({ syncs }: Pick<BranchFinder, 'syncs'>, given: Given): BranchTarget | undefined {
  if (!given || 'branchName' in given) return given;
  return syncs.ofFolder(given.folderId)?.target;
}
