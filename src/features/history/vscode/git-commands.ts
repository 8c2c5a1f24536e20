import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { isPlatformError } from '#api/errors.ts';
import {
  branchDifference,
  deployBranchOf,
  type GatedSituation,
  productionGate,
  type ProductionPass,
  stepButton,
} from '#features/platform/index.ts';
import type { GitAttempt } from '#features/history/git-attempt.ts';
import type { StepForm } from '#features/history/step-review.ts';
import type { ReviewInput } from '#features/review/messages.ts';
import { continueStep } from '#features/history/continue-step.ts';
import { commitBranch, mergeBranch, type MergeOptions, mergeToDefault } from '#features/history/git-workflow.ts';
import { MessageDrafts } from '#features/history/message-drafts.ts';
import { Hint } from '#shell/user-error.ts';
import type { GitCommands } from '#shell/commands/commands.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { type CommitInput, commitInputOf } from '#features/history/commit-input.ts';
import { atGate, isOnPage, readAtGate, showHint } from './at-gate.ts';
import { abortStep } from './git-conflicts.ts';
import { branchesOf, type Given, readyBranch, runGit } from './git-step.ts';
import { pull } from './pull-parent.ts';
import type { Handlers } from '#shell/vscode/register.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';
import type { GatedStepDeps, GitCommandDeps, GitStepDeps } from './deps.ts';

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
  /** The message of a stopped commit that continues. */
  readonly typed?: string | undefined;
  /** What is in the box that asks for it. */
  readonly suggested?: string | undefined;
}

/** Commits; answers whether nothing is left to commit. */
async function commit(deps: GatedStepDeps, given: Given, words: CommitWords): Promise<boolean> {
  const target = await readyBranch(deps, given);
  if (!(await unsentIsFine(deps, target, 'Commit'))) return false;
  const now = await readAtGate(deps, { step: 'commit', target });
  const { message: first, wasAsked } = await messageOf(target, now, words);
  if (first === undefined) return false;
  const { input } = words;
  const keep = (message: string): void => drafts.keep('commit', target, message, input?.inputBox);
  const form = (before: ReviewInput | undefined): StepForm => ({
    message: { value: before?.message ?? first, placeholder: 'What changed and why', isRequired: true, keep },
  });
  // While a question stands, anything may change.
  const step = { step: 'commit', target, form, first: wasAsked ? undefined : now } as const;
  const outcome = await atGate(deps, step, async (pass, page) => {
    const message = page?.message.trim() ?? first;
    keep(message);
    return sendCommit(deps, target, { message, parent: now.to }, pass);
  });
  if (outcome.kind === 'nothing') {
    await endCommit(deps, target);
    return true;
  }
  if (outcome.kind === 'refused' || !outcome.value) return false;
  drafts.forget('commit', target);
  // The message may have been changed on the page since.
  if (input && input.inputBox.value.trim() === first) input.inputBox.value = '';
  if (now.to !== undefined) void deps.builds.follow({ ...target, branchName: now.to });
  return true;
}

/**
 * The message of a commit: typed already, or asked for where there is something to commit. Where a page shows the commit, it has a
 * field for it.
 */
async function messageOf(
  target: BranchTarget,
  now: GatedSituation,
  { input, typed, suggested }: CommitWords,
): Promise<{ readonly message: string | undefined; readonly wasAsked?: true }> {
  const given = typed ?? input?.inputBox.value.trim() ?? '';
  if (given !== '' || productionGate(now).kind === 'nothing') return { message: given };
  if (isOnPage(now)) return { message: drafts.of('commit', target) ?? suggested ?? '' };
  return { message: (await askMessage(target, now, suggested))?.trim(), wasAsked: true };
}

/** A stopped commit of which nothing is left is over. */
async function endCommit({ attempts }: GatedStepDeps, target: BranchTarget): Promise<void> {
  if (attempts.of(target)?.step === 'commit') await attempts.end(target);
}

/** Sends the commit; answers whether it went through, which it has where there is nothing to commit. */
async function sendCommit(
  deps: GatedStepDeps,
  target: BranchTarget,
  { message, parent }: { readonly message: string; readonly parent: string | undefined },
  pass: ProductionPass,
): Promise<boolean> {
  const step = {
    step: 'commit',
    from: parent,
    typed: message,
    label: text`Committing ${target.branchName}`,
    done: 'Committed',
  } as const;
  try {
    return await runGit(deps, target, step, () => commitBranch(deps.data, target, message, pass));
  } catch (error) {
    if (!isPlatformError(error, 'invalidRequest') || parent === undefined) throw error;
    if ((await branchDifference(deps.data, target, parent).catch(() => undefined)) !== '') throw error;
    showHint(`Nothing to commit: ${target.branchName} and ${parent} are the same.`);
    await endCommit(deps, target);
    return true;
  }
}

async function askMessage(
  target: BranchTarget,
  situation: GatedSituation,
  suggested = '',
): Promise<string | undefined> {
  const parent = situation.to === undefined ? 'the parent branch' : `“${situation.to}”`;
  const production = situation.isDeploy === true ? ', the deploy branch: production is rebuilt' : '';
  return vscode.window.showInputBox({
    value: drafts.of('commit', target) ?? suggested,
    title: textOf(stepButton(situation)),
    prompt: text`Commit message. The commit is pushed to ${parent} right away${production}.`,
    placeHolder: text`What changed and why`,
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === '' ? text`A commit needs a message.` : undefined),
  });
}

/** Continues a step that stopped: brings the parent in, then does what was asked for. */
async function goOn(deps: GitCommandDeps, given: Given): Promise<void> {
  const target = await readyBranch(deps, given);
  const attempt = deps.attempts.of(target);
  if (!attempt) throw new Hint('This branch has no unfinished commit, pull or merge.');
  await continueStep(attempt, target, {
    pull: async () => pull(deps, target),
    commit: async (message) => commit(deps, target, message),
    merge: async (options) => merge(deps, target, options),
    mergeToDefault: async (asked) => toDefault(deps, target, asked),
  });
}

async function merge(deps: GatedStepDeps, given: Given, asked?: MergeOptions): Promise<void> {
  const target = await readyBranch(deps, given);
  if (!(await unsentIsFine(deps, target, 'Merge'))) return;
  // A page has fields for the options; nothing is asked before it.
  const now = await readAtGate(deps, { step: 'merge', target, endsBranch: asked ? endsBranch(asked) : true });
  const into = now.to ?? 'the parent branch';
  const isFilledIn = asked === undefined && isOnPage(now);
  const chosen = asked ?? (isFilledIn ? undefined : await askOptions(target, into));
  if (!chosen && !isFilledIn) return;
  const optionsOf = (page: ReviewInput | undefined): MergeOptions => chosen ?? chosenOptions(page?.options ?? []);
  const step = {
    step: 'merge',
    target,
    form: () => ({ options: isFilledIn ? mergeOptions.map(({ key, label }) => ({ id: key, label })) : [] }),
    ends: (page: ReviewInput | undefined) => (isFilledIn && page === undefined) || endsBranch(optionsOf(page)),
    first: isFilledIn ? now : undefined,
  } as const;
  const merged = await atGate(deps, step, async (pass, page) => {
    const options = optionsOf(page);
    const spec = {
      step: 'merge',
      from: now.to,
      options,
      label: text`Merging into ${into}`,
      done: `Merged into ${into}`,
      leaves: endsBranch(options),
    } as const;
    return runGit(deps, target, spec, () => mergeBranch(deps.data, target, options, pass));
  });
  if (merged.kind === 'sent' && merged.value) void deps.builds.follow({ ...target, branchName: into });
}

const mergeOptions = [
  { key: 'squashCommits', label: 'Squash commits', description: 'one commit on the parent' },
  { key: 'switchToParentBranch', label: 'Switch to the parent branch', description: 'dev mode ends' },
  { key: 'deleteBranch', label: 'Delete the dev branch', description: 'after the merge' },
] as const;

function endsBranch({ switchToParentBranch, deleteBranch }: MergeOptions): boolean {
  return switchToParentBranch || deleteBranch;
}

function chosenOptions(keys: readonly string[]): MergeOptions {
  const [squashCommits, switchToParentBranch, deleteBranch] = mergeOptions.map(({ key }) => keys.includes(key));
  return {
    squashCommits: squashCommits === true,
    switchToParentBranch: switchToParentBranch === true,
    deleteBranch: deleteBranch === true,
  };
}

async function askOptions({ branchName }: BranchTarget, into: string): Promise<MergeOptions | undefined> {
  const items = mergeOptions.map(({ key, label, description }) => ({
    label: textOf(label),
    description: textOf(description),
    key,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: text`Merge ${branchName} into ${into}`,
    placeHolder: text`Tick what you want and press Enter to merge; Esc to cancel`,
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return picked && chosenOptions(picked.map(({ key }) => key));
}

async function toDefault(
  deps: GatedStepDeps,
  given: Given,
  { typed, removesBranch }: Pick<GitAttempt, 'typed' | 'removesBranch'> = {},
): Promise<void> {
  const target = await readyBranch(deps, given);
  if (!(await unsentIsFine(deps, target, 'Merge'))) return;
  const deploy = deployBranchOf(await branchesOf(deps, target));
  if (!deploy) throw new Hint('This deployment has no deploy branch to merge into.');
  const into = deploy.name;
  const keep = (message: string): void => drafts.keep('mergeToDefault', target, message);
  const first = typed ?? drafts.of('mergeToDefault', target) ?? '';
  const form = (before: ReviewInput | undefined): StepForm => ({
    message: {
      value: before?.message ?? first,
      placeholder: `Merge ${target.branchName} into ${into}`,
      isRequired: false,
      keep,
    },
    options: removesBranch === undefined ? [removal] : [],
  });
  const ends = (page: ReviewInput | undefined): boolean => removesBranch ?? page?.options.includes(removal.id) ?? true;
  const step = { step: 'mergeToDefault', target, ends, form } as const;
  const merged = await atGate(deps, step, async (pass, page) => {
    const message = page?.message.trim() ?? first;
    keep(message);
    const removes = removesBranch ?? page?.options.includes(removal.id) ?? false;
    return sendToDefault(deps, target, { into, message, removesBranch: removes }, pass);
  });
  if (merged.kind !== 'sent' || !merged.value) return;
  drafts.forget('mergeToDefault', target);
  void deps.builds.follow({ ...target, branchName: into });
}

const removal = { id: 'removeBranch', label: 'Remove the dev branch after the merge' } as const;

interface DefaultMerge {
  readonly into: string;
  /** Empty for the platform’s own. */
  readonly message: string;
  readonly removesBranch: boolean;
}

/** Sends the merge; answers whether it went through. */
async function sendToDefault(
  deps: GatedStepDeps,
  target: BranchTarget,
  { into, message, removesBranch }: DefaultMerge,
  pass: ProductionPass,
): Promise<boolean> {
  const options = { message: message === '' ? undefined : message, removeBranchAfterMerge: removesBranch };
  const spec = {
    step: 'mergeToDefault',
    from: into,
    typed: message,
    removesBranch,
    label: text`Merging into ${into}`,
    done: `Merged into ${into}`,
    leaves: removesBranch,
  } as const;
  return runGit(deps, target, spec, () => mergeToDefault(deps.data, target, options, pass));
}
