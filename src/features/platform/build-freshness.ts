import type { BranchTarget, DeploymentTarget } from '#shell/targets.ts';
import type { Branch } from './branches.ts';
import { branchKey } from './build-watch.ts';
import { buildAppearance, type BuildState } from './build-state.ts';

/**
 * Detects branches with a new commit since their build state was read, so that the state is not shown next to the wrong commit.
 */
export class BuildFreshness {
  /** The last commit of each branch whose build state is known. */
  readonly #heads = new Map<string, string | undefined>();

  /** Returns the branches of a new list whose build state must be read again. */
  moved(
    { accountId, deploymentId }: DeploymentTarget,
    branches: readonly Branch[],
    known: ReadonlyMap<string, BuildState>,
  ): readonly BranchTarget[] {
    if (known.size === 0) return [];
    return branches.flatMap(({ name, lastHash }) => {
      const target = { accountId, deploymentId, branchName: name };
      const key = branchKey(target);
      if (!known.has(key)) return [];
      const hasMoved = this.#heads.has(key) && this.#heads.get(key) !== lastHash;
      this.#heads.set(key, lastHash);
      return hasMoved ? [target] : [];
    });
  }
}

/** Describes a build, with its commit if it has finished: `built at a32b361`. */
export function buildText(state: BuildState, hash: string | undefined): string {
  const { label } = buildAppearance(state);
  return state.phase === 'built' && hash !== undefined ? `${label} at ${hash}` : label;
}
