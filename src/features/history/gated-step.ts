import type { Branch, BuildWatcher, PlatformData } from '#features/platform/index.ts';
import type { SyncSessions } from '#features/folders/index.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { GateHost } from './at-gate.ts';
import type { GitAttempts } from './git-attempt.ts';
import type { GitResult } from './git-workflow.ts';
import type { MessageDrafts } from './message-drafts.ts';
import type { StepSpec } from './run-step.ts';

/** Runs a step on the platform; resolves to whether it succeeded. A conflict is stored and shown as such. */
export type RunStep = (target: BranchTarget, spec: StepSpec, work: () => GitResult) => Promise<boolean>;

/** The questions before a step. */
export interface StepDialogs {
  /**
   * Warns that local changes would be missing, because they are not on the platform: push them first, or continue without them.
   */
  readonly askUnsent: (
    count: number,
    action: 'Commit' | 'Merge',
    target: BranchTarget,
  ) => Promise<'push' | 'without' | undefined>;
  readonly push: () => Promise<void>;
}

/** The dependencies of a step that may reach production. */
export interface GatedStepPorts {
  readonly data: PlatformData;
  readonly builds: Pick<BuildWatcher, 'follow'>;
  readonly attempts: GitAttempts;
  readonly syncs: SyncSessions;
  /** Messages of steps that did not succeed, in this window. */
  readonly drafts: MessageDrafts;
  readonly gate: GateHost;
  readonly dialogs: StepDialogs;
  readonly run: RunStep;
}

/** Follows the build of the branch that a step has changed; the platform did not show which one it is if it is `undefined`. */
export function followInto(
  { builds }: Pick<GatedStepPorts, 'builds'>,
  target: BranchTarget,
  into: string | undefined,
): void {
  if (into !== undefined) void builds.follow({ ...target, branchName: into });
}

/** Resolves to the branches of the target’s deployment; loads them if they are not known. */
export async function loadBranches(
  { data }: { readonly data: PlatformData },
  target: BranchTarget,
): Promise<readonly Branch[]> {
  return data.of(target).branches.get();
}

/** Resolves to the parent branch; `undefined` for the deploy branch. */
export async function loadParentBranch(
  ports: { readonly data: PlatformData },
  target: BranchTarget,
): Promise<string | undefined> {
  const branches = await loadBranches(ports, target);
  return branches.find((branch) => branch.name === target.branchName)?.parentBranch;
}
