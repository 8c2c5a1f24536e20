import type { SyncSession, SyncSessions } from '#features/folders/index.ts';
import {
  differenceText,
  type GatedSituation,
  type PlatformData,
  type ProductionPass,
  type StepFiles,
  stepFiles,
} from '#features/platform/index.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import { atGate, type GatedStepPorts } from './at-gate.ts';
import { loadBranches, loadParentBranch, type RunStep } from './gated-step.ts';
import { type GitResult, pullBranch, pullThrough } from './git-workflow.ts';
import type { ResolvedPulls } from './resolved-pull.ts';
import type { ResolvedFilesDeps } from './step-ports.ts';
import { resolvedFiles } from './stopped-steps.ts';

/** The dependencies of {@link pullParent}. */
export interface PullPorts extends GatedStepPorts {
  readonly data: PlatformData;
  readonly syncs: SyncSessions;
  readonly resolved: ResolvedFilesDeps;
  readonly resolvedPulls: ResolvedPulls;
  readonly run: RunStep;
  /** Pulls what changed on the platform into a linked folder. */
  readonly bringChanges: (session: SyncSession) => Promise<void>;
}

/**
 * Pulls the parent's changes, with the files that the user has resolved since a step stopped. Resolves to whether it succeeded.
 */
export async function pullParent(ports: PullPorts, target: BranchTarget): Promise<boolean> {
  const parent = await loadParentBranch(ports, target);
  const resolved = await resolvedFiles(ports.resolved, target);
  const from = resolved?.parent ?? parent;
  const source = from ?? 'the parent branch';
  const step = {
    step: 'pull',
    from,
    label: `Pulling ${source} into ${target.branchName}`,
    done: `Pulled ${source}`,
  } as const;
  const run = async (bring?: () => GitResult): Promise<boolean> =>
    ports.run(target, step, () =>
      resolved ? ports.resolvedPulls.pull(resolved.target, resolved, bring) : pullBranch(ports.data, target),
    );
  const through = resolved && parent !== undefined && parent !== from ? parent : undefined;
  const pulled =
    resolved === undefined || through === undefined
      ? await run()
      : await pullUp(ports, target, { from: resolved.parent, through, paths: [...resolved.against.keys()] }, run);
  // The user asked for these changes, so they are pulled into the folder as well.
  if (pulled) for (const session of ports.syncs.ofBranch(target)) await ports.bringChanges(session);
  return pulled;
}

/**
 * Pulls from the parent's own parent: commits the dev branch to its parent, which then takes the changes. Meanwhile the resolved
 * files (`paths`) have the versions of `from`, and that is what is reviewed and committed. Resolves to whether that happened.
 */
async function pullUp(
  ports: PullPorts,
  target: BranchTarget,
  { from, through, paths }: { readonly from: string; readonly through: string; readonly paths: readonly string[] },
  run: (bring: () => GitResult) => Promise<boolean>,
): Promise<boolean> {
  await requireOrder(ports, target, through, from);
  const commit = { parent: through, message: `Merge ${from} into ${through}` };
  const step = {
    step: 'commit',
    target,
    // A branch that others use is changed, so the user reviews that, even if the gate needs no confirmation.
    review: { kind: 'always' },
    replaced: { by: from, paths },
    form: () => ({ note: throughText(target, through, from) }),
    require: ({ to }: GatedSituation) => {
      if (to !== through) throw otherParent(target, through);
    },
  } as const;
  const outcome = await atGate(ports, step, async (pass) =>
    run(async () => {
      const files = await requireShown(ports, target, through, pass);
      return pullThrough(ports.data, target, { ...commit, files }, pass);
    }),
  );
  return outcome.kind === 'sent' && outcome.value;
}

/** Returns what happens to the branches on the way, for the page. */
function throughText({ branchName }: BranchTarget, through: string, from: string): string {
  return `“${through}” first gets these files of “${branchName}”, then the changes of “${from}”; “${branchName}” gets both from there. Files that you have resolved go up as they are on “${from}” and are yours again afterwards.`;
}

/**
 * Resolves to the files of both branches. Throws `UserError` unless the branch now has exactly what the user confirmed for
 * `through`; what could not be compared for the page is not compared now.
 */
async function requireShown(
  { data }: PullPorts,
  target: BranchTarget,
  through: string,
  { content }: ProductionPass,
): Promise<StepFiles | undefined> {
  if (content === undefined) return undefined;
  const files = await stepFiles(data, target, through);
  if (differenceText(files.own, files.theirs) !== content) throw changedSince(target, through);
  return files;
}

function changedSince({ branchName }: BranchTarget, through: string): UserError {
  return new UserError(
    `“${branchName}” or “${through}” has changed since you confirmed the commit, so nothing was sent. Pull again.`,
  );
}

/** Another window or user has given the branch another parent since the user agreed to change this one. */
function otherParent({ branchName }: BranchTarget, through: string): UserError {
  return new UserError(`The parent of “${branchName}” is no longer “${through}”, so nothing was sent. Pull again.`, {
    title: 'Refresh Branches',
    command: 'modelbench.branches.refresh',
  });
}

/** Throws `Hint` unless the changes of `from` can be pulled through the branch: it must be the parent of that one. */
async function requireOrder(ports: GatedStepPorts, target: BranchTarget, through: string, from: string): Promise<void> {
  const branches = await loadBranches(ports, target);
  if (branches.find(({ name }) => name === through)?.parentBranch !== from) {
    throw new Hint(`Merge “${from}” into “${through}” first, then pull.`);
  }
}
