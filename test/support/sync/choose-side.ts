import type { PlanEntry } from '#sync/plan.ts';
import { versionOfHash, type World } from './world.ts';

/** Which side of a conflict the person takes, told to the world as a choice; undefined where there is none to make. */
export function chooseSide(world: World, entry: PlanEntry, mine: boolean): 'mine' | 'theirs' | undefined {
  if (entry.kind !== 'conflict' || entry.reason === 'dirtyEditor') return undefined;
  // A person who is shown an empty file does not want it.
  const side = mine && entry.reason !== 'tornWrite' ? 'mine' : 'theirs';
  world.say(`choose ${side} for ${entry.path}`);
  const dropped = side === 'mine' ? entry.remote : entry.local;
  if (dropped !== undefined) world.choose(versionOfHash(dropped));
  return side;
}
