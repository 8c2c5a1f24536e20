import type { PlaygroundOpening, QueryTarget, QueryTargets } from '#features/data/index.ts';
import { placeKey } from './history.ts';

/**
 * Where a playground queries: where the user chose for its folder, else in its branch, else on the server of this machine
 * (docs/data-api.md#query-targets). Nothing where there is none of them.
 */
export async function openingTarget(
  { folder, branch, isFixed = false }: PlaygroundOpening,
  choices: Pick<QueryTargets, 'whereFor'>,
): Promise<QueryTarget | undefined> {
  const chosen = await choices.whereFor(folder, branch);
  if (!isFixed || !branch || !chosen) return chosen;
  const own: QueryTarget = { kind: 'environment', ...branch };
  return placeKey(chosen) === placeKey(own) ? chosen : own;
}

/** Whether queries go to the same environment or server. */
export function isSameTarget(a: QueryTarget, b: QueryTarget): boolean {
  if (placeKey(a) !== placeKey(b)) return false;
  if (a.kind === 'cubeCore' || b.kind === 'cubeCore') return true;
  return a.environmentId === b.environmentId && a.branchName === b.branchName;
}
