import type { BranchTarget } from '#shell/targets.ts';
import { UserError } from '#shell/user-error.ts';
import type { TrashCause } from '#sync/core/ports.ts';

/** Returns the error for a file that no longer is as it was seen. */
export function changedMeanwhile(
  { branchName }: BranchTarget,
  path: string,
  attempt: TrashCause | 'rename',
): UserError {
  // When the user saves again, VS Code compares with the newer version.
  const next =
    attempt === 'branchEdit' ? 'Save again to compare both versions.' : 'Open the new version, then try again.';
  return new UserError(`Someone changed ${path} on “${branchName}” meanwhile, so it was left alone. ${next}`);
}
