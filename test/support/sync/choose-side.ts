import type { PlanEntry } from '#sync/core/plan.ts';
import { versionOfHash } from './versions.ts';
import type { World } from './world.ts';

/**
 * Which side of a conflict the user takes, told to the world as a choice; undefined where there is none to make. Where
 * names of the two sides do not fit, the user makes way.
 */
export function chooseSide(world: World, entry: PlanEntry, mine: boolean): 'mine' | 'theirs' | undefined {
  if (entry.kind === 'frozen') makeDifferent(world, entry);
  if (entry.kind !== 'conflict' || entry.reason === 'dirtyEditor') return undefined;
  if (entry.reason === 'fileAndFolder' || entry.reason === 'caseRename') {
    if (entry.local !== undefined) world.makeWay(entry.path);
    return undefined;
  }
  // A user who is shown an empty file does not want it.
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

/** Whether an entry is still to be resolved: what a rule leaves out is left out for good. */
export function isOpen({ kind }: PlanEntry): boolean {
  return kind !== 'ignored';
}
