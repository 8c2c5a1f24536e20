import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import type { Result } from '#base/result.ts';
import { type Branch, isDevBranch } from '#features/platform/branches.ts';
import type { GitStep } from '#features/history/git-attempt.ts';
import type { GitConflict, GitOutcome, MergeOptions } from '#features/history/git-workflow.ts';
import { whileHeld } from '#features/folders/hold.ts';
import { UserError } from '#shell/user-error.ts';
import type { BranchTarget, FolderTarget } from '#shell/targets.ts';
import { stoppedByConflict } from './git-conflicts.ts';
import { requireTrust } from '#shell/vscode/trust.ts';
import type { BranchFinder, GitStepDeps } from './deps.ts';

/** What a row or a menu names: a branch, or the linked folder that is on it. */
export type Given = BranchTarget | FolderTarget | undefined;

/** The active dev branch, with everything that waits sent: what is committed is what the folder holds. */
export async function readyBranch(deps: BranchFinder, given: Given): Promise<BranchTarget> {
  requireTrust(deps);
  const target = branchOf(deps, given) ?? deps.session.activeTarget();
  if (!target || !isDevBranch(target.branchName)) {
    throw new UserError('This needs a personal dev branch, and none is active.', {
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

/** A Git step on the platform, in words and as what is remembered where it stops. */
export interface StepSpec {
  readonly step: GitStep;
  /** The branch whose versions may be in conflict with the dev branch's; `undefined` where the platform names none. */
  readonly from: string | undefined;
  readonly options?: MergeOptions | undefined;
  readonly label: string;
  readonly done: string;
  /** The dev branch is left once it went through. */
  readonly leaves?: boolean | undefined;
}

/** Runs one Git step; a conflict is kept and shown as one. Answers whether it went through. */
export async function runGit(
  deps: GitStepDeps,
  target: BranchTarget,
  { step, from, options, label, done, leaves = false }: StepSpec,
  work: () => Promise<Result<GitOutcome, GitConflict>>,
): Promise<boolean> {
  const sessions = deps.syncs.ofBranch(target);
  const outcome = await deps.operations.run({
    label,
    key: `git ${target.accountId} ${target.deploymentId} ${target.branchName}`,
    // What is saved meanwhile goes after it: it is not to be half in a commit or merge.
    run: async () => {
      const settled = await whileHeld(sessions, 'ownPull', work);
      // At once: a branch that a merge took away is not one that someone else deleted.
      if (settled.ok && leaves) await deps.session.leave(target);
      return settled;
    },
  });
  const left = outcome.ok && leaves;
  // The platform may have moved: the folder is compared again whatever came of it.
  if (!left) for (const { sync } of sessions) await sync.plan();
  deps.documents.refresh();
  if (!outcome.ok) {
    const asked = { step, from: from ?? '', label, ...(options ? { options } : {}) };
    await stoppedByConflict(deps, target, outcome.error, asked);
    return false;
  }
  await wentThrough(deps, target, step);
  const hash = outcome.value.lastHash === undefined ? '' : ` at ${outcome.value.lastHash.slice(0, 7)}`;
  vscode.window.setStatusBarMessage(text`$(check) ${done}${hash}`, 8000);
  if (!left) void deps.builds.follow(target);
  return true;
}

/** What had stopped is over, or a step further: a pull, and then a commit, are parts of a merge that stopped. */
async function wentThrough(
  { attempts }: Pick<GitStepDeps, 'attempts'>,
  target: BranchTarget,
  step: GitStep,
): Promise<void> {
  if (step === 'pull') await attempts.pulled(target);
  else if (step !== 'commit' || attempts.of(target)?.step === 'commit') await attempts.end(target);
}

/** The branches of the target’s deployment, loaded where they are not known. */
export async function branchesOf(
  { data }: Pick<GitStepDeps, 'data'>,
  target: BranchTarget,
): Promise<readonly Branch[]> {
  return data.of(target).branches.get();
}

/** The parent branch; none for the deploy branch. */
export async function parentOf(deps: Pick<GitStepDeps, 'data'>, target: BranchTarget): Promise<string | undefined> {
  const branches = await branchesOf(deps, target);
  return branches.find((branch) => branch.name === target.branchName)?.parentBranch;
}
