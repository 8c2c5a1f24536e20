import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { isPlatformError } from '#api/errors.ts';
import { asError } from '#base/async.ts';
import { plural } from '#base/words.ts';
import { deployBranchOf } from '#features/platform/branches.ts';
import { buildLook } from '#features/platform/build-state.ts';
import { openFiles, stepWords } from '#features/history/git-attempt.ts';
import { commitBranch, mergeBranch, type MergeOptions, mergeToDefault } from '#features/history/git-workflow.ts';
import { MessageDrafts } from '#features/history/message-drafts.ts';
import { UserError } from '#shell/user-error.ts';
import type { GitCommands } from '#shell/commands/commands.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { confirm, isProtected } from '#shell/vscode/protection.ts';
import { type CommitInput, commitInputOf } from './commit-input.ts';
import { abortStep } from './git-conflicts.ts';
import { branchesOf, type Given, parentOf, readyBranch, runGit } from './git-step.ts';
import { pull } from './pull-parent.ts';
import type { Handlers } from '#shell/vscode/register.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';
import type { GitCommandDeps, GitStepDeps, ImpactReview, ProductionMergeDeps } from './deps.ts';

/** Commit, pull, merge and merge to default. */
export function gitCommands(deps: GitCommandDeps): Handlers<GitCommands> {
  return {
    'modelbench.commit': async (given) => commit(deps, given, { input: commitInputOf(deps, given) }),
    'modelbench.pull': async (given) => {
      await pull(deps, given);
    },
    'modelbench.merge': async (given) => merge(deps, given),
    'modelbench.mergeToDefault': async (given) => toDefault(deps, given),
    'modelbench.git.continue': async (given) => goOn(deps, given),
    'modelbench.git.abort': async (given) => abortStep(deps, await readyBranch(deps, given)),
  };
}

/** What was typed for steps that did not go through, in this window. */
const drafts = new MessageDrafts();

/** What is not on the platform yet would be missing in the commit: the user decides. */
async function unsentIsFine(deps: GitStepDeps, target: BranchTarget, action: string): Promise<boolean> {
  const unsent = deps.syncs
    .ofBranch(target)
    .reduce((sum, { sync }) => sum + sync.status.value.localChanges.length + sync.status.value.conflicts.length, 0);
  if (unsent === 0) return true;
  const push = text`Push First…`;
  const anyway = text`${action} Without ${unsent === 1 ? 'It' : 'Them'}`;
  const answer = await vscode.window.showWarningMessage(
    text`${unsent} local ${unsent === 1 ? 'change is' : 'changes are'} not on the platform yet.`,
    { modal: true, detail: text`${action} uses the platform’s version of “${target.branchName}”.` },
    push,
    anyway,
  );
  if (answer === push) await execute('modelbench.push');
  return answer === anyway;
}

interface CommitWords {
  /** Where the message may have been typed already. */
  readonly input?: CommitInput | undefined;
  /** What is in the box that asks for it. */
  readonly suggested?: string | undefined;
}

async function commit(deps: GitStepDeps, given: Given, { input, suggested }: CommitWords): Promise<boolean> {
  const target = await readyBranch(deps, given);
  if (!(await unsentIsFine(deps, target, 'Commit'))) return false;
  const parent = await parentOf(deps, target);
  const typed = input?.inputBox.value.trim() ?? '';
  const where = await destination(deps, target, parent);
  const message = typed === '' ? await askMessage(target, where, suggested) : typed;
  if (message === undefined) return false;
  drafts.keep('commit', target, message.trim());
  if (!(await mayReach(deps, target, parent))) return false;
  const step = {
    step: 'commit',
    from: parent,
    label: text`Committing ${target.branchName}`,
    done: 'Committed',
  } as const;
  const committed = await runGit(deps, target, step, () => commitBranch(deps.data, target, message.trim()));
  if (!committed) return false;
  drafts.forget('commit', target);
  if (input) input.inputBox.value = '';
  if (parent !== undefined) void deps.builds.follow({ ...target, branchName: parent });
  return true;
}

/** Where a commit goes, in words; production is named as such. */
async function destination(deps: GitStepDeps, target: BranchTarget, parent: string | undefined): Promise<string> {
  if (parent === undefined) return 'the parent branch right away';
  const isDeploy = parent === deployBranchOf(await branchesOf(deps, target))?.name;
  return `“${parent}” right away${isDeploy ? ', the deploy branch: production is rebuilt' : ''}`;
}

/** A protected branch asks for its name before anything reaches it. */
async function mayReach(deps: GitStepDeps, target: BranchTarget, name: string | undefined): Promise<boolean> {
  if (name === undefined || !isProtected(deps, { ...target, branchName: name })) return true;
  return confirmProtected(`Commit to “${name}”?`, name);
}

async function askMessage(target: BranchTarget, where: string, suggested = ''): Promise<string | undefined> {
  return vscode.window.showInputBox({
    value: drafts.of('commit', target) ?? suggested,
    title: text`Commit ${target.branchName}`,
    prompt: text`Commit message. The commit is pushed to ${where}.`,
    placeHolder: text`What changed and why`,
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === '' ? text`A commit needs a message.` : undefined),
  });
}

/** Continues a step that stopped at conflicts: brings the parent in, then does what was asked for. */
async function goOn(deps: GitCommandDeps, given: Given): Promise<void> {
  const target = await readyBranch(deps, given);
  const attempt = deps.attempts.of(target);
  if (!attempt) throw new UserError('This branch has no unfinished commit, pull or merge.');
  const open = openFiles(attempt).length;
  if (open > 0) {
    throw new UserError(`${plural(open, 'file')} must be resolved before the ${stepWords(attempt)} can continue.`, {
      title: text`Resolve`,
      command: 'modelbench.conflict.merge',
    });
  }
  if (attempt.files.length > 0 && !(await pull(deps, target))) return;
  if (attempt.step === 'pull' || !(await commitSettled(deps, target, attempt.from))) return;
  if (attempt.step === 'merge') await merge(deps, target, attempt.options);
  else if (attempt.step === 'mergeToDefault') await toDefault(deps, target);
}

/** What was settled is work of the dev branch: it is committed before it can be merged. */
async function commitSettled(deps: GitStepDeps, target: BranchTarget, from: string): Promise<boolean> {
  try {
    return await commit(deps, target, { suggested: `Merge ${from} into ${target.branchName}` });
  } catch (error) {
    // Where every file is the other branch's version, nothing is left to commit.
    if (isPlatformError(error, 'invalidRequest')) return true;
    throw error;
  }
}

async function merge(deps: GitStepDeps, given: Given, asked?: MergeOptions): Promise<void> {
  const target = await readyBranch(deps, given);
  if (!(await unsentIsFine(deps, target, 'Merge'))) return;
  const parent = await parentOf(deps, target);
  const into = parent ?? 'the parent branch';
  const options = asked ?? (await askOptions(target, into));
  if (!options) return;
  const parentTarget = { ...target, branchName: into };
  if (isProtected(deps, parentTarget) && !(await confirmProtected(`Merge into “${into}”?`, into))) return;
  const merged = await runGit(
    deps,
    target,
    {
      step: 'merge',
      from: parent,
      options,
      label: text`Merging into ${into}`,
      done: `Merged into ${into}`,
      leaves: options.switchToParentBranch || options.deleteBranch,
    },
    () => mergeBranch(deps.data, target, options),
  );
  if (merged) void deps.builds.follow(parentTarget);
}

async function askOptions({ branchName }: BranchTarget, into: string): Promise<MergeOptions | undefined> {
  const items = [
    { label: text`Squash commits`, description: text`one commit on the parent`, key: 'squashCommits' },
    { label: text`Switch to the parent branch`, description: text`dev mode ends`, key: 'switchToParentBranch' },
    { label: text`Delete the dev branch`, description: text`after the merge`, key: 'deleteBranch' },
  ] as const;
  const picked = await vscode.window.showQuickPick(items, {
    title: text`Merge ${branchName} into ${into}`,
    placeHolder: text`Tick what you want and press Enter to merge; Esc to cancel`,
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (!picked) return undefined;
  const chosen = new Set(picked.map((item) => item.key));
  return {
    squashCommits: chosen.has('squashCommits'),
    switchToParentBranch: chosen.has('switchToParentBranch'),
    deleteBranch: chosen.has('deleteBranch'),
  };
}

async function toDefault(deps: ProductionMergeDeps, given: Given): Promise<void> {
  const target = await readyBranch(deps, given);
  if (!(await unsentIsFine(deps, target, 'Merge'))) return;
  const deploy = deployBranchOf(await branchesOf(deps, target));
  if (!deploy) throw new UserError('This deployment has no deploy branch to merge into.');
  const production = { ...target, branchName: deploy.name };
  if (!(await confirmProduction(deps, target, production))) return;
  const remove = await vscode.window.showQuickPick(
    [
      { label: text`Keep the dev branch`, remove: false },
      { label: text`Remove the dev branch after the merge`, remove: true },
    ],
    {
      title: text`Merge to ${deploy.name}`,
      placeHolder: text`What should happen to “${target.branchName}” after the merge?`,
      ignoreFocusOut: true,
    },
  );
  if (!remove) return;
  const message = await askMergeMessage(target, deploy.name);
  if (message === undefined) return;
  const merged = await runGit(
    deps,
    target,
    {
      step: 'mergeToDefault',
      from: deploy.name,
      label: text`Merging into ${deploy.name}`,
      done: `Merged into ${deploy.name}`,
      leaves: remove.remove,
    },
    () =>
      mergeToDefault(deps.data, target, {
        message: message === '' ? undefined : message,
        removeBranchAfterMerge: remove.remove,
      }),
  );
  if (!merged) return;
  drafts.forget('mergeToDefault', target);
  void deps.builds.follow(production);
}

/** The message of the merge; empty for the platform’s own. */
async function askMergeMessage(target: BranchTarget, into: string): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    value: drafts.of('mergeToDefault', target) ?? '',
    title: text`Merge to ${into}`,
    prompt: text`Message of the merge commit. Leave empty for the platform’s default.`,
    placeHolder: text`Merge ${target.branchName} into ${into}`,
    ignoreFocusOut: true,
  });
  const message = typed?.trim();
  if (message !== undefined) drafts.keep('mergeToDefault', target, message);
  return message;
}

/** What reaches production is said before it does; a protected deploy branch asks for its name. */
async function confirmProduction(
  deps: ProductionMergeDeps,
  target: BranchTarget,
  production: BranchTarget,
): Promise<boolean> {
  const review = await reviewOf(deps, target, production);
  const state = deps.builds.stateOf(target);
  const build = state ? `The build of “${target.branchName}” is: ${buildLook(state).words}.` : '';
  const { branchName } = production;
  return confirm({
    title: text`Merge “${target.branchName}” into “${branchName}”?`,
    detail: textOf(
      [`Production is rebuilt from “${branchName}”.`, build, review?.summary ?? ''].filter(Boolean).join(' '),
    ),
    button: 'Merge to Default',
    typed: isProtected(deps, production) ? branchName : undefined,
    more: review && { button: 'Show Review', show: review.show },
  });
}

/** What reaches production; a review that cannot be made never stops the merge. */
async function reviewOf(
  deps: ProductionMergeDeps,
  from: BranchTarget,
  to: BranchTarget,
): Promise<ImpactReview | undefined> {
  try {
    return await deps.operations.run({
      label: text`Reviewing ${from.branchName}`,
      key: `review ${from.branchName}`,
      run: async () => deps.review(from, to),
    });
  } catch (error) {
    deps.logger.warn('The merge could not be reviewed', { error: asError(error).message });
    return undefined;
  }
}

function confirmProtected(title: string, name: string): Promise<boolean> {
  return confirm({ title, detail: text`“${name}” is protected.`, button: 'Merge', typed: name });
}
