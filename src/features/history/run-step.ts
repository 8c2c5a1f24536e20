import type { Result } from '#base/result.ts';
import { whileHeld } from '#features/folders/index.ts';
import type { BuildWatcher, Session } from '#features/platform/index.ts';
import type { Operations } from '#shell/operations.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { GitStep, LeftOutFile } from './git-attempt.ts';
import type { GitConflict, GitOutcome, MergeOptions } from './git-workflow.ts';
import type { StoppedStepDeps } from './step-ports.ts';

/** A Git step on the platform: its texts, and what to remember if it stops. */
export interface StepSpec {
  readonly step: GitStep;
  /** The branch whose versions may conflict with the dev branch's; `undefined` if the platform names none. */
  readonly from: string | undefined;
  readonly options?: MergeOptions | undefined;
  /** The message that the user typed for it; stored if the step stops. */
  readonly typed?: string | undefined;
  /** Whether a merge to the default branch removes the dev branch. */
  readonly removesBranch?: boolean | undefined;
  /** Local versions that the user has agreed to leave out; stored if the step stops. */
  readonly leftOut?: readonly LeftOutFile[] | undefined;
  readonly label: string;
  readonly done: string;
  /** Whether the window leaves the dev branch after the step succeeds. */
  readonly leaves?: boolean | undefined;
}

/** The dependencies of {@link runStep}. */
export interface RunPorts extends StoppedStepDeps {
  readonly builds: Pick<BuildWatcher, 'follow'>;
  readonly operations: Operations;
  readonly session: Pick<Session, 'leave'>;
  /** Refreshes the documents of branches. */
  readonly documents: { refresh(): void };
}

/**
 * Runs one Git step while automatic uploads are paused, compares the folders again, and follows the build. Success ends a stopped
 * step; a conflict is returned, and the step has changed nothing then.
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
    // Files that are saved meanwhile are uploaded afterwards, so that no commit or merge contains half of them.
    run: async () => {
      const result = await whileHeld(sessions, 'ownPull', work);
      // Immediately, so that a branch that the merge removed is not reported as deleted by someone else.
      if (result.ok && leaves) await session.leave(target);
      return result;
    },
  });
  const isLeft = outcome.ok && leaves;
  // The platform may have changed: the folder is compared again after a failure, too.
  if (!isLeft) for (const { sync } of sessions) await sync.plan();
  documents.refresh();
  if (!outcome.ok) return outcome;
  // A pull and a commit can be steps on the way to a merge that stopped.
  if (step === 'pull') await attempts.pulled(target, from);
  else if (step !== 'commit' || attempts.of(target)?.step === 'commit') await attempts.end(target);
  if (!isLeft) void builds.follow(target);
  return outcome;
}
