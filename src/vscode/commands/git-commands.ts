import * as vscode from 'vscode';
import { asError } from '#base/async.ts';
import type { Result } from '#base/result.ts';
import { type Branch, deployBranchOf, isDevBranch } from '#features/branches.ts';
import { buildLook } from '#features/build-state.ts';
import {
  commitBranch,
  type GitConflict,
  type GitOutcome,
  mergeBranch,
  mergeToDefault,
  pullBranch,
} from '#features/git-workflow.ts';
import { whileHeld } from '#features/hold.ts';
import { pullSettled, type SettledFiles } from '#features/settled-pull.ts';
import { UserError } from '#features/user-error.ts';
import type { GitCommands } from '#protocol/commands.ts';
import { type BranchTarget, branchTarget } from '#protocol/targets.ts';
import type { ImpactReview } from '#vscode/console/console.ts';
import { confirm, isProtected } from '../protection.ts';
import { CommitInput } from '../scm/commit-input.ts';
import type { Services } from '../services.ts';
import { bringChanges } from '../changes/transfer.ts';
import { requireTrust } from './branch-commands.ts';
import type { Handlers } from './register.ts';
import { walkConflicts } from '../changes/git-conflicts.ts';

/** Commit, pull, merge and merge to default. */
export function gitCommands(services: Services): Handlers<GitCommands> {
  return {
    'modelbench.commit': async (argument) => commit(services, argument),
    'modelbench.pull': async (argument) => pull(services, argument),
    'modelbench.merge': async (argument) => merge(services, argument),
    'modelbench.mergeToDefault': async (argument) => toDefault(services, argument),
  };
}

/** The active dev branch, with everything that waits sent: what is committed is what the folder holds. */
async function readyBranch(services: Services, argument: unknown): Promise<BranchTarget> {
  requireTrust(services);
  const target = branchTarget(argument) ?? services.session.activeTarget();
  if (!target || !isDevBranch(target.branchName)) {
    throw new UserError('This works on a personal dev branch, and none is active.', {
      title: 'Start Dev Mode',
      command: 'modelbench.devMode.start',
    });
  }
  for (const { sync } of services.syncs.ofBranch(target)) await sync.flush();
  return target;
}

/** What is not on the platform yet would be missing in the commit: the person decides. */
async function unsentIsFine(services: Services, target: BranchTarget, action: string): Promise<boolean> {
  const unsent = services.syncs
    .ofBranch(target)
    .reduce((sum, { sync }) => sum + sync.status.value.localChanges.length + sync.status.value.conflicts.length, 0);
  if (unsent === 0) return true;
  const push = 'Push First…';
  const anyway = `${action} Without ${unsent === 1 ? 'It' : 'Them'}`;
  const answer = await vscode.window.showWarningMessage(
    `${unsent} local ${unsent === 1 ? 'change is' : 'changes are'} not on the platform yet.`,
    { modal: true, detail: `${action} works on what the platform has of “${target.branchName}”.` },
    push,
    anyway,
  );
  if (answer === push) await vscode.commands.executeCommand('modelbench.push');
  return answer === anyway;
}

async function commit(services: Services, argument: unknown): Promise<void> {
  const target = await readyBranch(services, argument);
  if (!(await unsentIsFine(services, target, 'Commit'))) return;
  const parent = await parentOf(services, target);
  const input = argument instanceof CommitInput && argument.message !== '' ? argument : undefined;
  const message = input?.message ?? (await askMessage(target, await destination(services, target, parent)));
  if (message === undefined || !(await mayReach(services, target, parent))) return;
  const committed = await runGit(services, target, `Committing ${target.branchName}`, 'Committed', () =>
    commitBranch(services.data, target, message.trim()),
  );
  if (!committed) return;
  input?.clear();
  if (parent !== undefined) void services.builds.follow({ ...target, branchName: parent });
}

/** Where a commit goes, in words; production is named as such. */
async function destination(services: Services, target: BranchTarget, parent: string | undefined): Promise<string> {
  if (parent === undefined) return 'the parent branch right away';
  const isDeploy = parent === deployBranchOf(await branchesOf(services, target))?.name;
  return `“${parent}” right away${isDeploy ? ', the deploy branch: production is rebuilt' : ''}`;
}

/** A protected branch asks for its name before anything reaches it. */
async function mayReach(services: Services, target: BranchTarget, name: string | undefined): Promise<boolean> {
  if (name === undefined || !isProtected(services, { ...target, branchName: name })) return true;
  return confirmProtected(`Commit to “${name}”?`, name);
}

async function askMessage(target: BranchTarget, where: string): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: `Commit ${target.branchName}`,
    prompt: `Message of the commit. It is pushed to ${where}.`,
    placeHolder: 'What changed and why',
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === '' ? 'A commit needs a message.' : undefined),
  });
}

async function pull(services: Services, argument: unknown, settled?: SettledFiles): Promise<void> {
  const target = await readyBranch(services, argument);
  const parent = (await parentOf(services, target)) ?? 'the parent branch';
  const pulled = await runGit(services, target, `Pulling ${parent} into ${target.branchName}`, `Pulled ${parent}`, () =>
    settled
      ? pullSettled({ data: services.data, files: services.branchFiles }, target, settled)
      : pullBranch(services.data, target),
  );
  // What came in on the platform is what the person asked for: it comes into the folder as well.
  if (pulled) for (const session of services.syncs.ofBranch(target)) await bringChanges(services, session);
}

async function merge(services: Services, argument: unknown): Promise<void> {
  const target = await readyBranch(services, argument);
  if (!(await unsentIsFine(services, target, 'Merge'))) return;
  const parent = (await parentOf(services, target)) ?? 'the parent branch';
  const items = [
    { label: 'Squash commits', description: 'one commit on the parent', key: 'squashCommits' },
    { label: 'Switch to the parent branch', description: 'dev mode ends', key: 'switchToParentBranch' },
    { label: 'Delete the dev branch', description: 'after the merge', key: 'deleteBranch' },
  ] as const;
  const picked = await vscode.window.showQuickPick(items, {
    title: `Merge ${target.branchName} into ${parent}`,
    placeHolder: 'Tick what you want and press Enter to merge; Esc to cancel',
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (!picked) return;
  const chosen = new Set(picked.map((item) => item.key));
  const options = {
    squashCommits: chosen.has('squashCommits'),
    switchToParentBranch: chosen.has('switchToParentBranch'),
    deleteBranch: chosen.has('deleteBranch'),
  };
  const parentTarget = { ...target, branchName: parent };
  if (isProtected(services, parentTarget) && !(await confirmProtected(`Merge into “${parent}”?`, parent))) return;
  const merged = await runGit(
    services,
    target,
    `Merging into ${parent}`,
    `Merged into ${parent}`,
    () => mergeBranch(services.data, target, options),
    options.switchToParentBranch || options.deleteBranch,
  );
  if (!merged) return;
  void services.builds.follow(parentTarget);
}

async function toDefault(services: Services, argument: unknown): Promise<void> {
  const target = await readyBranch(services, argument);
  if (!(await unsentIsFine(services, target, 'Merge'))) return;
  const deploy = deployBranchOf(await branchesOf(services, target));
  if (!deploy) throw new UserError('This deployment has no deploy branch to merge into.');
  const production = { ...target, branchName: deploy.name };
  if (!(await confirmProduction(services, target, production))) return;
  const remove = await vscode.window.showQuickPick(
    [
      { label: 'Keep the dev branch', remove: false },
      { label: 'Remove the dev branch after the merge', remove: true },
    ],
    { title: `Merge to ${deploy.name}`, placeHolder: `What happens to “${target.branchName}”?`, ignoreFocusOut: true },
  );
  if (!remove) return;
  const merged = await runGit(
    services,
    target,
    `Merging into ${deploy.name}`,
    `Merged into ${deploy.name}`,
    () => mergeToDefault(services.data, target, { message: undefined, removeBranchAfterMerge: remove.remove }),
    remove.remove,
  );
  if (!merged) return;
  void services.builds.follow(production);
}

/** What reaches production is said before it does; a protected deploy branch asks for its name. */
async function confirmProduction(services: Services, target: BranchTarget, production: BranchTarget): Promise<boolean> {
  const review = await reviewOf(services, target, production);
  const state = services.builds.stateOf(target);
  const build = state ? `The build of “${target.branchName}” is: ${buildLook(state.phase).words}.` : '';
  const { branchName } = production;
  return confirm({
    title: `Merge “${target.branchName}” into “${branchName}”?`,
    detail: [`Production is rebuilt from “${branchName}”.`, build, review?.summary ?? ''].filter(Boolean).join(' '),
    button: 'Merge to Default',
    typed: isProtected(services, production) ? branchName : undefined,
    more: review && { button: 'Show Review', show: review.show },
  });
}

/** What reaches production; a review that cannot be made never stops the merge. */
async function reviewOf(services: Services, from: BranchTarget, to: BranchTarget): Promise<ImpactReview | undefined> {
  try {
    return await services.operations.run({
      label: `Reviewing ${from.branchName}`,
      key: `review ${from.branchName}`,
      run: async () => (await services.console()).review(from, to),
    });
  } catch (error) {
    services.logger.warn('The merge could not be reviewed', { error: asError(error).message });
    return undefined;
  }
}

/** Runs one Git step; a conflict is shown as one and the person is taken through it. Answers whether it went through. */
async function runGit(
  services: Services,
  target: BranchTarget,
  label: string,
  done: string,
  work: () => Promise<Result<GitOutcome, GitConflict>>,
  leaves = false,
): Promise<boolean> {
  const sessions = services.syncs.ofBranch(target);
  const outcome = await services.operations.run({
    label,
    key: `git ${target.accountId} ${target.deploymentId} ${target.branchName}`,
    // What is saved meanwhile goes after it: it is not to be half in a commit or merge.
    run: async () => {
      const settled = await whileHeld(sessions, 'ownPull', work);
      // At once: a branch that a merge took away is not one that somebody else deleted.
      if (settled.ok && leaves) await services.session.leave(target);
      return settled;
    },
  });
  const left = outcome.ok && leaves;
  // The platform may have moved: the folder is compared again whatever came of it.
  if (!left) for (const { sync } of sessions) await sync.plan();
  services.documents.refresh();
  if (!outcome.ok) {
    const settled = await walkConflicts(services, target, outcome.error, label);
    if (settled) await pull(services, target, settled);
    return false;
  }
  const hash = outcome.value.lastHash === undefined ? '' : ` at ${outcome.value.lastHash.slice(0, 7)}`;
  vscode.window.setStatusBarMessage(`$(check) ${done}${hash}`, 8000);
  if (!left) void services.builds.follow(target);
  return true;
}

async function branchesOf({ data }: Services, target: BranchTarget): Promise<readonly Branch[]> {
  return data.of(target).branches.get();
}

async function parentOf(services: Services, target: BranchTarget): Promise<string | undefined> {
  const branches = await branchesOf(services, target);
  return branches.find((branch) => branch.name === target.branchName)?.parentBranch;
}

function confirmProtected(title: string, name: string): Promise<boolean> {
  return confirm({ title, detail: `“${name}” is protected.`, button: 'Merge', typed: name });
}
