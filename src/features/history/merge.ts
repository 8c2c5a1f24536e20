import { text } from '#base/user-text.ts';
import { deployBranchOf, type ProductionPass, type Review } from '#features/platform/index.ts';
import type { ReviewInput } from '#features/review/messages.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';
import { atGate } from './at-gate.ts';
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
  const optionsOf = (page: ReviewInput | undefined): MergeOptions => asked ?? chosenOptions(page?.options ?? []);
  const step = {
    step: 'merge',
    target,
    review: asked && from !== undefined ? unlessTo(from) : always,
    form: (before: ReviewInput | undefined) => ({
      options: asked ? [] : ticked(mergeOptions, before?.options ?? ports.drafts.optionsOf('merge', target)),
      keepOptions: asked ? undefined : (ids: readonly string[]) => ports.drafts.keepOptions('merge', target, ids),
    }),
    // A merge that continues may have only commits left, which its commit before has made.
    ends: (page: ReviewInput | undefined) => asked !== undefined || page === undefined || endsBranch(optionsOf(page)),
  } as const;
  let into: string | undefined;
  const merged = await atGate(ports, step, async (pass, page) => {
    const options = optionsOf(page);
    ports.drafts.keepOptions('merge', target, optionIds(options));
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
  if (merged.kind !== 'sent' || !merged.value) return;
  ports.drafts.forget('merge', target);
  followInto(ports, target, into);
}

/** Returns check boxes with those ticked that were before. */
function ticked(
  options: readonly { readonly id: string; readonly label: string }[],
  before: readonly string[],
): StepForm['options'] {
  return options.map((option) => ({ ...option, isOn: before.includes(option.id) }));
}

function optionIds(options: MergeOptions): readonly string[] {
  return mergeOptions.map(({ id }) => id).filter((id) => options[id]);
}

const always: Review = { kind: 'always' };

/** A merge that continues was confirmed for the parent that the branch had when it began. */
function unlessTo(parent: string): Review {
  return { kind: 'unlessTo', to: parent };
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
    options:
      removesBranch === undefined
        ? ticked([removal], before?.options ?? drafts.optionsOf('mergeToDefault', target))
        : [],
    keepOptions:
      removesBranch === undefined
        ? (ids: readonly string[]) => drafts.keepOptions('mergeToDefault', target, ids)
        : undefined,
  });
  const ends = (page: ReviewInput | undefined): boolean => removesBranch ?? page?.options.includes(removal.id) ?? true;
  const step = { step: 'mergeToDefault', target, review: { kind: 'ifNeeded' }, ends, form } as const;
  const merged = await atGate(ports, step, async (pass, page) => {
    const message = page?.message.trim() ?? first;
    keep(message);
    const removes = removesBranch ?? page?.options.includes(removal.id) ?? false;
    drafts.keepOptions('mergeToDefault', target, removes ? [removal.id] : []);
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
