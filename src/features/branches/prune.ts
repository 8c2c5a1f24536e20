import { asError, isCancelled } from '#base/async.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { type Branch, branchRelation, isDevBranch } from '#features/platform/index.ts';
import { deleteBranch } from './dev-mode.ts';

/** A dev branch that no window of this user works on. */
export interface PrunableBranch {
  readonly name: string;
  /** No commit of it is missing in its parent; what was saved and never committed is not known. */
  readonly isStale: boolean;
  /** What a user must know before they delete it. */
  readonly words: string;
}

export interface PruneInput {
  readonly branches: readonly Branch[];
  readonly active: string | undefined;
  readonly mine: ReadonlySet<string>;
  /** The last commits that own branches had in common with their parents. */
  readonly forkPoints: ReadonlyMap<string, string>;
  /** Branches that other windows are on. */
  readonly inUse: ReadonlySet<string>;
}

/** Dev branches that can be pruned together: not the active one, and none of another window; stale ones first. */
export function prunableBranches({ branches, active, mine, forkPoints, inUse }: PruneInput): readonly PrunableBranch[] {
  const byName = new Map(branches.map((branch) => [branch.name, branch]));
  return branches
    .filter(({ name }) => isDevBranch(name) && name !== active && !inUse.has(name))
    .map((branch) => {
      const { name, parentBranch } = branch;
      const parent = parentBranch === undefined ? undefined : byName.get(parentBranch);
      const relation = branchRelation(branch, parent, forkPoints.get(name));
      const isStale = relation === 'same' || relation === 'behind';
      const owner = mine.has(name) ? 'mine' : 'someone else’s';
      const from = parentBranch === undefined ? [] : [`from ${parentBranch}`];
      return {
        name,
        isStale,
        words: [isStale ? 'no commits of its own' : 'may contain work', owner, ...from].join(' · '),
      };
    })
    .sort((a, b) => Number(b.isStale) - Number(a.isStale));
}

export interface PruneOutcome {
  readonly deleted: readonly string[];
  readonly failed: readonly { readonly name: string; readonly message: string }[];
}

/** Deletes dev branches one after the other; one that the platform refuses does not keep the others. */
export async function pruneBranches(
  deps: Parameters<typeof deleteBranch>[0],
  target: DeploymentTarget,
  names: readonly string[],
  onNext: (name: string, index: number) => void,
): Promise<PruneOutcome> {
  const deleted: string[] = [];
  const failed: { name: string; message: string }[] = [];
  for (const [index, branchName] of names.entries()) {
    onNext(branchName, index);
    try {
      await deleteBranch(deps, { ...target, branchName });
      deleted.push(branchName);
    } catch (thrown) {
      if (isCancelled(thrown)) throw thrown;
      failed.push({ name: branchName, message: asError(thrown).message });
    }
  }
  return { deleted, failed };
}
