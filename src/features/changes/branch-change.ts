import type { BranchTarget, ChangeTarget } from '#shell/targets.ts';
import type { DeltaState } from './branch-deltas.ts';
import type { BranchChangeNode } from './commit-nodes.ts';

/** One side of a comparison: a branch, and whether it has the file. */
export interface ComparedBranch {
  readonly branchName: string;
  /** The path of the file there. */
  readonly path: string;
  readonly exists: boolean;
}

/**
 * Returns the side that a row of the Changes view is about; `undefined` for rows of other files. `commit-nodes.ts` makes the id.
 */
export function sideOf({ folderId, path, id }: ChangeTarget): BranchChangeNode['side'] | undefined {
  return (['commit', 'incoming'] as const).find((side) => id === `changes/${folderId}/${side}/${path}`);
}

/** Returns the two sides of a change: the branch that gets it, and the branch that it comes from. */
export function branchSides(
  side: BranchChangeNode['side'],
  { branchName }: Pick<BranchTarget, 'branchName'>,
  { parent, delta }: Pick<DeltaState, 'parent' | 'delta'>,
  path: string,
): { readonly before: ComparedBranch; readonly after: ComparedBranch } {
  const list = side === 'commit' ? delta.toCommit : delta.incoming;
  const { change, from: former } = list.find((file) => file.path === path) ?? {};
  const [from, to] = side === 'commit' ? [branchName, parent] : [parent, branchName];
  return {
    before: { branchName: to, path: former ?? path, exists: change !== 'added' || former !== undefined },
    after: { branchName: from, path, exists: change !== 'removed' },
  };
}
