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
  const { restUrl } = found;
  if (restUrl === undefined) return err(`The environment “${found.name}” has no REST address.`);
  return ok({ ...found, restUrl });
}
