import { isDevBranch } from '#api/resources/branches.ts';
import { asError, isCancelled } from '#base/async.ts';
import type { BranchTarget, DeploymentTarget } from '#shell/targets.ts';
import { type Branch, branchRelation } from '#features/platform/index.ts';

/** A dev branch that is not active in any window of this user. */
export interface PrunableBranch {
  readonly name: string;
  /** Whether its parent has all of its commits; it may still have saved changes that were never committed. */
  readonly isStale: boolean;
  /** Facts for the user's decision to delete it. */
  readonly detail: string;
}

export interface PruneInput {
  readonly branches: readonly Branch[];
  readonly active: string | undefined;
  readonly mine: ReadonlySet<string>;
  /** The last known common commits of the user's own branches and their parents. */
  readonly forkPoints: ReadonlyMap<string, string>;
  /** Branches that are active in other windows. */
  readonly inUse: ReadonlySet<string>;
}

/** Returns the dev branches that can be pruned: neither the active one nor those of other windows; stale ones first. */
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
        detail: [isStale ? 'no commits of its own' : 'may contain work', owner, ...from].join(' · '),
      };
    })
    .sort((a, b) => Number(b.isStale) - Number(a.isStale));
}

export interface PruneOutcome {
  readonly deleted: readonly string[];
  readonly failed: readonly { readonly name: string; readonly message: string }[];
}

/** Deletes dev branches one after the other with `remove`; a refusal does not stop the others. */
export async function pruneBranches(
  remove: (branch: BranchTarget) => Promise<void>,
  target: DeploymentTarget,
  names: readonly string[],
  onNext: (name: string, index: number) => void,
): Promise<PruneOutcome> {
  const deleted: string[] = [];
  const failed: { name: string; message: string }[] = [];
  for (const [index, branchName] of names.entries()) {
    onNext(branchName, index);
    try {
      await remove({ ...target, branchName });
      deleted.push(branchName);
    } catch (thrown) {
      if (isCancelled(thrown)) throw thrown;
      failed.push({ name: branchName, message: asError(thrown).message });
    }
  }
  return { deleted, failed };
}
