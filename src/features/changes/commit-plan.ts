import { isDevBranch } from '#api/resources/branches.ts';
import { isProduction, type PlatformData } from '#features/platform/index.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { BranchDeltas, ComparedBranch } from './branch-deltas.ts';
import type { ChangeTreeInput } from './change-nodes.ts';
import type { CommitPlan } from './commit-nodes.ts';

/** The lists of branches, and the comparisons of dev branches with their parents. */
export interface CommitPlanDeps {
  readonly data: PlatformData;
  readonly deltas: BranchDeltas;
}

/** Returns a dev branch with its parent; `undefined` until the branches are loaded. */
export function comparedBranch(
  { data }: Pick<CommitPlanDeps, 'data'>,
  target: BranchTarget,
): ComparedBranch | undefined {
  if (!isDevBranch(target.branchName)) return undefined;
  const branches = data.known(target)?.branches.value ?? [];
  const own = branches.find(({ name }) => name === target.branchName);
  if (own?.parentBranch === undefined) return undefined;
  const parent = branches.find(({ name }) => name === own.parentBranch);
  return { target, parent: own.parentBranch, head: own.lastHash, parentHead: parent?.lastHash };
}

/** Returns what the Changes view shows about a branch and its parent; `words` formats a time. */
export function commitPlanOf(
  { data, deltas }: CommitPlanDeps,
  target: BranchTarget,
  ageText: (time: number) => string,
): Pick<ChangeTreeInput, 'commit' | 'comparing'> {
  const branch = comparedBranch({ data }, target);
  const known = deltas.of(target);
  const failure = deltas.failure(target);
  if (!branch) return unlisted(data, target);
  const { parent } = branch;
  if (known?.parent !== parent) return { comparing: { parent, error: failure?.message } };
  // As at the production gate: what is not known counts as production.
  const reachesProduction = isProduction(data.known(target)?.branches.value ?? [], parent) !== false;
  const commit: CommitPlan = {
    ...known.delta,
    parent,
    isProduction: reachesProduction,
    isMixed: known.isMixed,
    asOf: failure && ageText(known.at),
  };
  return { commit };
}

/**
 * Returns the state for a branch without a known parent. Until the branches are loaded, the changes to commit are unknown; a
 * loaded branch without a parent has none.
 */
function unlisted(data: PlatformData, target: BranchTarget): Pick<ChangeTreeInput, 'comparing'> {
  const branches = data.known(target)?.branches;
  if (!isDevBranch(target.branchName) || branches?.value !== undefined) return {};
  return { comparing: { parent: 'its parent branch', error: branches?.state.value.error?.message } };
}
