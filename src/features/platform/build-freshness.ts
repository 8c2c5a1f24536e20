import type { BranchTarget, DeploymentTarget } from '#shell/targets.ts';
import type { Branch } from './branches.ts';
import { branchKey } from './build-watch.ts';
import { buildAppearance, type BuildState } from './build-state.ts';

/** Notices that a branch moved after its build was heard of: what is shown beside its commit would be of another one. */
export class BuildFreshness {
  /** Last commit by branch, of the branches whose build is known. */
  readonly #heads = new Map<string, string | undefined>();

  /** The branches of a fresh list that are to be asked about again. */
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

/** A build in words, with the commit that it is of where it is done: `built at a32b361`. */
export function buildText(state: BuildState, hash: string | undefined): string {
  const { words } = buildAppearance(state);
  return state.phase === 'built' && hash !== undefined ? `${words} at ${hash}` : words;
}
