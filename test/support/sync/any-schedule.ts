import { type Nastiness, nastinesses, nastySchedule } from './nasty-schedules.ts';
import { randomSchedule } from './random-schedule.ts';
import type { Schedule } from './schedule.ts';

/** The number of rounds without faults that is enough for every kind of schedule. */
export const ROUNDS = 6;

const kinds: readonly Nastiness[] = Object.values(nastinesses);

/** Returns an ordinary schedule for every other seed, and each nasty kind in turn for the rest. */
export function anySchedule(seed: number): Schedule {
  const kind = seed % 2 === 0 ? undefined : kinds[((seed - 1) / 2) % kinds.length];
  return kind ? nastySchedule(kind, seed) : randomSchedule(seed);
}
