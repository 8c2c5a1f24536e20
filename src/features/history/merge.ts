import { text } from '#base/user-text.ts';
import {
  BuildChecks,
  deployBranchOf,
  gateQuestion,
  type ProductionPass,
  type StepReading,
} from '#features/platform/index.ts';
import type { ReviewInput } from '#features/review/messages.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';
import { atGate, isOnPage, readAtGate } from './at-gate.ts';
import { followInto, loadBranches, type GatedStepPorts } from './gated-step.ts';
import type { GitAttempt, LeftOutFile } from './git-attempt.ts';
import { mergeBranch, type MergeOptions, mergeToDefault } from './git-workflow.ts';
import { withoutUnsent } from './left-out.ts';
import type { StepForm } from './step-review.ts';

/**
 * Merges a dev branch into its parent; for a merge that continues, the last argument is its original request, with the parent
 * (`from`) that it was for.
 */
export async function mergeStep(
  ports: GatedStepPorts,
  target: BranchTarget,
  { options: asked, from, leftOut: agreed }: Partial<Pick<GitAttempt, 'options' | 'from' | 'leftOut'>> = {},
): Promise<void> {
  const leftOut = await withoutUnsent(ports, target, 'Merge', agreed);
  if (!leftOut) return;
  // If the page has fields for the options, they are not asked for before it.
  const mayEnd = asked ? endsBranch(asked) : true;
  const first = { step: 'merge', target, endsBranch: mayEnd, isReviewed: asked === undefined } as const;
  const checks = new BuildChecks();
  const reading = await readAtGate(ports, first, checks);
  const now = reading.situation;
  const isFilledIn = asked === undefined && isOnPage(now);
  const chosen = asked ?? (isFilledIn ? undefined : await optionsOnPage(ports, target, reading));
  if (!chosen && !isFilledIn) return;
  const optionsOf = (page: ReviewInput | undefined): MergeOptions => chosen ?? chosenOptions(page?.options ?? []);
  const step = {
    step: 'merge',
    target,
    form: () => ({ options: isFilledIn ? mergeOptions : [] }),
    ends: (page: ReviewInput | undefined) => (isFilledIn && page === undefined) || endsBranch(optionsOf(page)),
    checks,
    isReviewed: asked === undefined,
    first: isFilledIn ? reading : undefined,
    // A merge that continues was confirmed for the parent that the branch had when it began.
    confirmed: isFilledIn ? undefined : { ...now, to: asked ? from : now.to },
  } as const;
  let into = now.to;
  const merged = await atGate(ports, step, async (pass, page) => {
    const options = optionsOf(page);
    into = pass.to;
    const goal = into ?? 'the parent branch';
    const spec = {
      step: 'merge',
      from: into,
      options,
      leftOut,
      label: text`Merging into ${goal}`,
      done: `Merged into ${goal}`,
      leaves: endsBranch(options),
    } as const;
    return ports.run(target, spec, () => mergeBranch(ports.data, target, options, pass));
  });
  if (merged.kind === 'sent' && merged.value) followInto(ports, target, into);
}

/** Asks for the options of a merge that needs no confirmation; resolves to `undefined` if the user closes the page. */
async function optionsOnPage(
  { gate }: GatedStepPorts,
  target: BranchTarget,
  reading: StepReading,
): Promise<MergeOptions | undefined> {
  const question = gateQuestion(reading.situation);
  const filled = question && (await gate.confirmStep(target, question, { options: mergeOptions }, reading));
  return filled && chosenOptions(filled.options);
}

/** The options of a merge. */
const mergeOptions = [
  { id: 'squashCommits', label: 'Squash commits' },
  { id: 'switchToParentBranch', label: 'Switch to the parent branch' },
  { id: 'deleteBranch', label: 'Delete the dev branch' },
] as const;

function endsBranch({ switchToParentBranch, deleteBranch }: MergeOptions): boolean {
  return switchToParentBranch || deleteBranch;
}

function chosenOptions(keys: readonly string[]): MergeOptions {
  const [squashCommits, switchToParentBranch, deleteBranch] = mergeOptions.map(({ id }) => keys.includes(id));
  return {
    squashCommits: squashCommits === true,
    switchToParentBranch: switchToParentBranch === true,
    deleteBranch: deleteBranch === true,
  };
}

const removal = { id: 'removeBranch', label: 'Remove the dev branch after the merge' } as const;

/** Merges a dev branch into the deploy branch; for a merge that continues, the last argument is its original request. */
export async function mergeToDefaultStep(
  ports: GatedStepPorts,
  target: BranchTarget,
  { typed, removesBranch, leftOut: agreed }: Pick<GitAttempt, 'typed' | 'removesBranch' | 'leftOut'> = {},
): Promise<void> {
  const leftOut = await withoutUnsent(ports, target, 'Merge', agreed);
  if (!leftOut) return;
  const deploy = deployBranchOf(await loadBranches(ports, target));
  if (!deploy) throw new Hint('This deployment has no deploy branch to merge into.');
  const into = deploy.name;
  const { drafts } = ports;
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
  const merged = await atGate(ports, step, async (pass, page) => {
    const message = page?.message.trim() ?? first;
    keep(message);
    const removes = removesBranch ?? page?.options.includes(removal.id) ?? false;
    return sendToDefault(ports, target, { into, message, removesBranch: removes, leftOut }, pass);
  });
  if (merged.kind !== 'sent' || !merged.value) return;
  drafts.forget('mergeToDefault', target);
  void ports.builds.follow({ ...target, branchName: into });
}

interface DefaultMerge {
  readonly into: string;
  /** Empty for the platform’s default. */
  readonly message: string;
  readonly removesBranch: boolean;
  readonly leftOut: readonly LeftOutFile[];
}

/** Runs the merge; resolves to whether it succeeded. */
async function sendToDefault(
  { data, run }: GatedStepPorts,
  target: BranchTarget,
  { into, message, removesBranch, leftOut }: DefaultMerge,
  pass: ProductionPass,
): Promise<boolean> {
  const options = { message: message === '' ? undefined : message, removeBranchAfterMerge: removesBranch };
  const spec = {
    step: 'mergeToDefault',
    from: into,
    typed: message,
    removesBranch,
    leftOut,
    label: text`Merging into ${into}`,
    done: `Merged into ${into}`,
    leaves: removesBranch,
  } as const;
  return run(target, spec, () => mergeToDefault(data, target, options, pass));
}
