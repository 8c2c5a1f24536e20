import type { Result } from '#base/result.ts';
import { whileHeld } from '#features/folders/index.ts';
import type { BuildWatcher, Session } from '#features/platform/index.ts';
import type { Operations } from '#shell/operations.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { GitStep, LeftOutFile } from './git-attempt.ts';
import type { GitConflict, GitOutcome, MergeOptions } from './git-workflow.ts';
import type { StoppedStepDeps } from './step-ports.ts';

/** A Git step on the platform, in words and as what is remembered where it stops. */
export interface StepSpec {
  readonly step: GitStep;
  /** The branch whose versions may be in conflict with the dev branch's; `undefined` where the platform names none. */
  readonly from: string | undefined;
  readonly options?: MergeOptions | undefined;
  /** The message that the user typed for it, which is kept where it stops. */
  readonly typed?: string | undefined;
  /** Whether a merge to the default branch removes the dev branch. */
  readonly removesBranch?: boolean | undefined;
  /** Local versions that the user has agreed to leave out, which is remembered where it stops. */
  readonly leftOut?: readonly LeftOutFile[] | undefined;
  readonly label: string;
  readonly done: string;
  /** The dev branch is left once it went through. */
  readonly leaves?: boolean | undefined;
}

/** What running a step needs. */
export interface RunPorts extends StoppedStepDeps {
  readonly builds: Pick<BuildWatcher, 'follow'>;
  readonly operations: Operations;
  readonly session: Pick<Session, 'leave'>;
  /** Shows the files of branches as they are now. */
  readonly documents: { refresh(): void };
}

/**
 * Runs one Git step while nothing is sent automatically, compares the folders again, and follows the build. A step that had
 * stopped is over then; a conflict is answered, and nothing was changed by it.
 */
export async function runStep(
  { attempts, builds, documents, operations, session, syncs }: RunPorts,
  target: BranchTarget,
  { step, from, label, leaves = false }: StepSpec,
  work: () => Promise<Result<GitOutcome, GitConflict>>,
): Promise<Result<GitOutcome, GitConflict>> {
  const sessions = syncs.ofBranch(target);
  const outcome = await operations.run({
    label,
    key: `git ${target.accountId} ${target.deploymentId} ${target.branchName}`,
    // What is saved meanwhile goes after it: it is not to be half in a commit or merge.
    run: async () => {
      const result = await whileHeld(sessions, 'ownPull', work);
      // At once: a branch that a merge took away is not one that someone else deleted.
      if (result.ok && leaves) await session.leave(target);
      return result;
    },
  });
  const isLeft = outcome.ok && leaves;
  // The platform may have moved: the folder is compared again whatever came of it.
  if (!isLeft) for (const { sync } of sessions) await sync.plan();
  documents.refresh();
  if (!outcome.ok) return outcome;
  // A pull, and then a commit, are parts of a merge that stopped.
  if (step === 'pull') await attempts.pulled(target, from);
  else if (step !== 'commit' || attempts.of(target)?.step === 'commit') await attempts.end(target);
  if (!isLeft) void builds.follow(target);
  return outcome;
}
