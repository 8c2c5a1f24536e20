import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import type { Result } from '#base/result.ts';
import { type Branch, isDevBranch } from '#features/platform/index.ts';
import type { GitConflict, GitOutcome } from '#features/history/git-workflow.ts';
import { runStep, type StepSpec } from '#features/history/run-step.ts';
import { Hint } from '#shell/user-error.ts';
import type { BranchTarget, FolderTarget } from '#shell/targets.ts';
import { stoppedByConflict } from './git-conflicts.ts';
import { requireTrust } from '#shell/vscode/trust.ts';
import type { GitStepDeps } from './deps.ts';
import type { BranchFinder } from '#features/history/step-ports.ts';

/** What a row or a menu names: a branch, or the linked folder that is on it. */
export type Given = BranchTarget | FolderTarget | undefined;

/** The active dev branch, with everything that waits sent: what is committed is what the folder holds. */
export async function readyBranch(deps: BranchFinder, given: Given): Promise<BranchTarget> {
  requireTrust(deps);
  const target = branchOf(deps, given) ?? deps.session.activeTarget();
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

/** Runs one Git step; a conflict is kept and shown as one. Answers whether it went through. */
export async function runGit(
  deps: GitStepDeps,
  target: BranchTarget,
  spec: StepSpec,
  work: () => Promise<Result<GitOutcome, GitConflict>>,
): Promise<boolean> {
  const { step, from, options, typed, removesBranch, label, done } = spec;
  const outcome = await runStep(deps, target, spec, work);
  if (!outcome.ok) {
    const asked = { step, from: from ?? '', options, typed, removesBranch, label };
    await stoppedByConflict(deps, target, outcome.error, asked);
    return false;
  }
  const hash = outcome.value.lastHash === undefined ? '' : ` at ${outcome.value.lastHash.slice(0, 7)}`;
  vscode.window.setStatusBarMessage(text`$(check) ${done}${hash}`, 8000);
  return true;
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
