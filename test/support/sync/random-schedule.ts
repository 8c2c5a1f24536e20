import type { Act, Schedule } from './schedule.ts';
import { type Fault, PATHS, type WorldEvent } from './world-events.ts';

/** Returns a small fast random generator (mulberry32): the same seed gives the same schedule on every machine. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const eventKinds = [
  'edit',
  'edit',
  'theirEdit',
  'theirEdit',
  'delete',
  'theirDelete',
  'open',
  'save',
  'rename',
  'writeback',
] as const;
const faultKinds = [
  'crash',
  'crashAfter',
  'powerLoss',
  'powerLossAfter',
  'cut',
  'lost',
  'lost',
  'busy',
  'full',
] as const;

/** Returns an adversarial schedule: edits of both sides before, between and during runs; crashes and cuts at any call. */
export function randomSchedule(seed: number): Schedule {
  const below = randomFrom(seed);
  const event = (): WorldEvent => {
    const kind = eventKinds[below(eventKinds.length)] ?? 'edit';
    if (kind === 'writeback') return { do: 'writeback' };
    const path = below(PATHS.length);
    return kind === 'rename' ? { do: kind, path, to: below(PATHS.length) } : { do: kind, path };
  };
  const act = (): Act => {
    const choice = below(12);
    if (choice < 5) return event();
    if (choice < 8) return { do: 'push', transaction: below(3) === 0 };
    if (choice < 10) return { do: 'pull' };
    if (choice === 10) return { do: 'resolve', path: below(PATHS.length), mine: below(2) === 0 };
    return { do: below(3) === 0 ? 'restart' : 'pull' };
  };
  const fault = (): Fault => {
    if (below(2) === 0) return { kind: 'event', event: event() };
    return { kind: faultKinds[below(faultKinds.length)] ?? 'crash' };
  };
  const acts = Array.from({ length: 4 + below(9) }, act);
  const faults = Array.from({ length: 1 + below(8) }, () => [8 + below(60), fault()] as const);
  const shared = PATHS.map((_, path) => path).filter(() => below(3) > 0);
  return { acts: [{ do: 'pull' }, ...acts], faults, shared, coins: below(0x7fffffff) };
}
