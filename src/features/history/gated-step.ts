import type { Branch, BuildWatcher, PlatformData } from '#features/platform/index.ts';
import type { SyncSessions } from '#features/folders/index.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { GateHost } from './at-gate.ts';
import type { GitAttempts } from './git-attempt.ts';
import type { GitResult } from './git-workflow.ts';
import type { MessageDrafts } from './message-drafts.ts';
import type { StepSpec } from './run-step.ts';

/** Runs a step on the platform; answers whether it went through. A conflict is kept and shown as one. */
export type RunStep = (target: BranchTarget, spec: StepSpec, work: () => GitResult) => Promise<boolean>;

/** What a step asks the user before it. */
export interface StepDialogs {
  /** What is not on the platform yet would be missing: push it first, or go without it. */
  readonly askUnsent: (
    count: number,
    action: 'Commit' | 'Merge',
    target: BranchTarget,
  ) => Promise<'push' | 'without' | undefined>;
  readonly push: () => Promise<void>;
}

/** What a step that may reach production needs. */
export interface GatedStepPorts {
  readonly data: PlatformData;
  readonly builds: Pick<BuildWatcher, 'follow'>;
  readonly attempts: GitAttempts;
  readonly syncs: SyncSessions;
  /** What was typed for steps that did not go through, in this window. */
  readonly drafts: MessageDrafts;
  readonly gate: GateHost;
  readonly dialogs: StepDialogs;
  readonly run: RunStep;
}

/** The branches of the target’s deployment, loaded where they are not known. */
export async function branchesOf(
  { data }: { readonly data: PlatformData },
  target: BranchTarget,
): Promise<readonly Branch[]> {
  return data.of(target).branches.get();
}

/** The parent branch; none for the deploy branch. */
export async function parentOf(
  ports: { readonly data: PlatformData },
  target: BranchTarget,
): Promise<string | undefined> {
  const branches = await branchesOf(ports, target);
  return branches.find((branch) => branch.name === target.branchName)?.parentBranch;
}
