import type { PlanEntry } from '#sync/core/planning/plan.ts';
import { versionOfHash } from './versions.ts';
import type { World } from './world.ts';

/**
 * Chooses the side of a conflict for the user and records the choice in the world; returns `undefined` if there is nothing to
 * choose. If names of the two sides clash, the user renames or deletes their own file.
 */
export function chooseSide(world: World, entry: PlanEntry, mine: boolean): 'mine' | 'theirs' | undefined {
  if (entry.kind === 'frozen') makeDifferent(world, entry);
  if (entry.kind !== 'conflict' || entry.reason === 'dirtyEditor') return undefined;
  if (entry.reason === 'fileAndFolder' || entry.reason === 'caseRename') {
    if (entry.local !== undefined) world.makeWay(entry.path);
    return undefined;
  }
  // A user who sees an empty file does not choose it.
  const side = mine && entry.reason !== 'tornWrite' ? 'mine' : 'theirs';
  world.say(`choose ${side} for ${entry.path}`);
  const dropped = side === 'mine' ? entry.remote : entry.local;
  if (dropped !== undefined) world.choose(versionOfHash(dropped));
  return side;
}

function makeDifferent(world: World, { path, reason }: Extract<PlanEntry, { kind: 'frozen' }>): void {
  if (reason === 'caseCollision') world.makeWay(path);
  if (reason === 'normalization') world.side?.separate(path);
}

/** Whether an entry still needs to be resolved: one that a rule ignores stays ignored. */
export function isOpen({ kind }: PlanEntry): boolean {
  return kind !== 'ignored';
}
