import type { ReadonlyStore } from '#base/store.ts';
import type { BranchFiles, SyncSessions } from '#features/folders/index.ts';
import type { Session } from '#features/platform/index.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { GitAttempts } from './git-attempt.ts';

/** The steps that stopped at conflicts, and the folders on their branches. */
export interface StoppedStepDeps {
  readonly attempts: GitAttempts;
  readonly syncs: SyncSessions;
}

/** The resolved files of a stopped step. */
export interface ResolvedFilesDeps extends StoppedStepDeps {
  readonly branchFiles: BranchFiles;
  /** Reads the files of a branch again. */
  readonly remote: { refresh(target: BranchTarget): Promise<unknown> };
}

/** Finding the branch that a Git step is for. */
export interface BranchFinder {
  readonly isTrusted: ReadonlyStore<boolean>;
  readonly session: Session;
  readonly syncs: SyncSessions;
}
