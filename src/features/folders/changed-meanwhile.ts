import type { BranchTarget } from '#shell/targets.ts';
import { UserError } from '#shell/user-error.ts';
import type { TrashCause } from '#sync/core/ports.ts';

/** What was not done because someone else changed the file, and what to do then. */
const consequences = {
  // When the user saves again, VS Code compares with the newer version.
  write: 'nothing was written. Save again to compare both versions.',
  delete: 'nothing was deleted. Open the new version first, then try again.',
  rename: 'nothing was renamed. Open the new version first, then try again.',
  restore: 'nothing was restored. Open the new version first, then try again.',
  settledPull: 'it was left alone. Pull again.',
} as const;

export type Attempt = keyof typeof consequences;

/** Returns what a change for this cause attempts. */
export function attemptFor(cause: TrashCause, otherwise: 'write' | 'delete'): Attempt {
  return cause === 'restore' || cause === 'settledPull' ? cause : otherwise;
}

/** Returns the error for a file that no longer is as it was seen. */
export function changedMeanwhile({ branchName }: BranchTarget, path: string, attempt: Attempt): UserError {
  return new UserError(`Someone changed ${path} on “${branchName}” meanwhile, so ${consequences[attempt]}`);
}
