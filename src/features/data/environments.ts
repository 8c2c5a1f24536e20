import type { TurnBranch } from '#chat-core/thread.ts';
import type { Environment } from '#features/platform/index.ts';
import { type Result, err, ok } from '#base/result.ts';

/** An environment that answers queries. */
export type QueryEnvironment = Environment & { readonly restUrl: string };

/**
 * The environment in which the queries of a branch run: production for the deploy branch, else the one that has the
 * branch's name. The error says what to do.
 */
export function environmentOf(
  environments: readonly Environment[],
  branch: TurnBranch | undefined,
): Result<QueryEnvironment, string> {
  const found = environmentFor(environments, branch);
  return found.ok ? withAddress(found.value) : found;
}

/** The same, also where the platform names no address for its queries. */
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

/** An environment with the address for its queries. */
export function withAddress(environment: Environment): Result<QueryEnvironment, string> {
  const { restUrl } = environment;
  if (restUrl === undefined) return err(`The environment “${environment.name}” has no REST address.`);
  return ok({ ...environment, restUrl });
}
