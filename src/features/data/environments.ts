import type { TurnBranch } from '#chat-core/thread.ts';
import type { Environment } from '#features/platform/index.ts';
import { type Result, err, ok } from '#base/result.ts';

/** An environment that can be queried. */
export type QueryEnvironment = Environment & { readonly restUrl: string };

/**
 * Returns the environment in which the queries of a branch run: production for the deploy branch, otherwise the environment of
 * the branch. The error names the next step.
 */
export function environmentOf(
  environments: readonly Environment[],
  branch: TurnBranch | undefined,
): Result<QueryEnvironment, string> {
  const found = environmentFor(environments, branch);
  return found.ok ? withAddress(found.value) : found;
}

/** As {@link environmentOf}, but also returns an environment without an address for queries. */
export function environmentFor(
  environments: readonly Environment[],
  branch: TurnBranch | undefined,
): Result<Environment, string> {
  const found =
    branch === undefined || branch.isDefault
      ? environments.find(({ type }) => type === 'production')
      : environments.find(
          ({ name, branchName, type }) => type !== 'production' && [name, branchName].includes(branch.name),
        );
  if (!found) {
    return err(
      branch === undefined || branch.isDefault
        ? 'This deployment has no production environment yet.'
        : `“${branch.name}” has no environment: start dev mode on it, or enable its staging environment.`,
    );
  }
  return ok(found);
}

/** Returns an environment with its address for queries; an error if it has none. */
export function withAddress(environment: Environment): Result<QueryEnvironment, string> {
  const { restUrl } = environment;
  if (restUrl === undefined) return err(`The environment “${environment.name}” has no REST address.`);
  return ok({ ...environment, restUrl });
}
