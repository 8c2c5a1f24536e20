import type { PlaygroundOpening, QueryTarget, QueryTargets } from '#features/data/index.ts';
import { queryTargetKey } from './history.ts';

/**
 * Resolves to the target of a playground's queries: the user's choice for its folder, otherwise the environment of its branch,
 * otherwise the server on this machine (docs/data-api.md#query-targets); `undefined` if there is none of them. If the deployment
 * is fixed, a choice of another deployment is ignored.
 */
export async function openingTarget(
  { folder, branch, isFixed = false }: PlaygroundOpening,
  choices: Pick<QueryTargets, 'whereFor'>,
): Promise<QueryTarget | undefined> {
  const chosen = await choices.whereFor(folder, branch);
  if (!isFixed || !branch || !chosen) return chosen;
  const own: QueryTarget = { kind: 'environment', ...branch };
  return queryTargetKey(chosen) === queryTargetKey(own) ? chosen : own;
}

/** Whether two targets are the same environment or server. */
export function isSameTarget(a: QueryTarget, b: QueryTarget): boolean {
  if (queryTargetKey(a) !== queryTargetKey(b)) return false;
  if (a.kind === 'cubeCore' || b.kind === 'cubeCore') return true;
  return a.environmentId === b.environmentId && a.branchName === b.branchName;
}
