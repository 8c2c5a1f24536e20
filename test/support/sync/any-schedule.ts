import { type Nastiness, nastinesses, nastySchedule } from './nasty-schedules.ts';
import { randomSchedule } from './random-schedule.ts';
import type { Schedule } from './schedule.ts';

/** Quiet rounds that are enough for every kind of schedule. */
export const ROUNDS = 6;

const kinds: readonly Nastiness[] = Object.values(nastinesses);

/** Every other schedule is an ordinary one, the rest is one of each nasty kind in turn. */
export function anySchedule(seed: number): Schedule {
  const kind = seed % 2 === 0 ? undefined : kinds[((seed - 1) / 2) % kinds.length];
  return kind ? nastySchedule(kind, seed) : randomSchedule(seed);
}
