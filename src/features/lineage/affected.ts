import { extendedParent } from '#model/effective.ts';
import type { ModelIndex } from '#model/index.ts';
import { type Dependencies, dependenciesOf, reachableFrom, reversed } from '#model/dependencies.ts';
import type { Redefinition } from './redefined.ts';

/** Adds to each redefinition the names that depend on it: other members, views, and what is made of those. */
export function withAffected(changes: readonly Redefinition[], index: ModelIndex): readonly Redefinition[] {
  const hasEffect = changes.some(({ keys }) => keys.some(changesResults));
  if (!hasEffect) return changes;
  const usedBy = reversed(dependenciesOf(index));
  return changes.map((change) =>
    change.keys.some(changesResults) ? { ...change, affects: affectedBy(change, index, usedBy) } : change,
  );
}

/** Checks whether a changed key can change what queries return: a pre-aggregation only changes how fast they are. */
function changesResults(key: string): boolean {
  return !key.startsWith('pre_aggregations.');
}

function affectedBy({ what, name, keys }: Redefinition, index: ModelIndex, usedBy: Dependencies): readonly string[] {
  const starts = what === 'member' ? [name] : membersWith(name, index);
  const reached = new Set(starts.flatMap((start) => [...reachableFrom(start, usedBy)]));
  reached.delete(name);
  // A join changes what is queried together with another cube, not what the cube's own members return.
  if (keys.every((key) => key.startsWith('joins.'))) for (const start of starts) reached.delete(start);
  // A cube or view is reached through one of its members, and naming the member is more exact.
  return [...reached].filter((each) => each.includes('.')).sort();
}

/** Returns the members of a cube or view and of all that extend it. */
function membersWith(name: string, index: ModelIndex): readonly string[] {
  return index.entities().flatMap((entity) => {
    if (entity.kind === 'viewGroup' || !isBuiltOn(entity.name, name, index)) return [];
    return [...index.membersOf(entity).byName.values()]
      .filter(({ kind }) => kind !== 'preAggregation')
      .map((member) => `${entity.name}.${member.name}`);
  });
}

function isBuiltOn(entity: string, base: string, index: ModelIndex): boolean {
  const seen = new Set<string>();
  for (let at = index.entity(entity); at && !seen.has(at.name); at = extendedParent(at, index)) {
    if (at.name === base) return true;
    seen.add(at.name);
  }
  return false;
}
