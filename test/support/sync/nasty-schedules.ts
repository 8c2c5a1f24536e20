import { randomFrom } from './random-schedule.ts';
import type { Act, Schedule } from './schedule.ts';
import { type Damage, type Fault, PATHS, type WorldEvent } from './world-events.ts';

/** The properties of a nasty kind of schedule: its paths, events and faults. */
export interface Nastiness {
  readonly name: string;
  readonly paths: readonly string[];
  readonly events: readonly WorldEvent['do'][];
  readonly faults: readonly Exclude<Fault['kind'], 'event'>[];
  /** Whether versions are restored from the trash in between. */
  readonly restores?: boolean;
  /** Damage to the engine's records between two sessions. */
  readonly damages?: readonly Damage[];
}

const everyday = ['edit', 'edit', 'theirEdit', 'theirEdit', 'delete', 'theirDelete'] as const;
const cuts = ['cut', 'lost', 'lost', 'busy', 'full', 'cancel', 'cancelAfter'] as const;
const crashes = ['crash', 'crashAfter'] as const;
const powerLosses = ['powerLoss', 'powerLossAfter'] as const;

export const nastinesses = {
  swaps: {
    name: 'a file that turns into a folder and back, on both sides',
    paths: ['m/a', 'm/a/x', 'm/b', 'm-a-mine', 'm-a-x-mine'],
    events: [...everyday, 'open', 'save'],
    faults: [...cuts, ...crashes],
  },
  cycles: {
    name: 'renames in a cycle, a → b → c → a, on both sides',
    paths: PATHS,
    events: [...everyday, 'cycle', 'cycle', 'theirCycle', 'theirCycle', 'rename', 'theirRename', 'open', 'save'],
    faults: [...cuts, ...crashes, ...powerLosses],
  },
  letterCase: {
    name: 'names that change by letter case only, on both sides',
    paths: ['m/a', 'm/A', 'm/b', 'm-A-mine'],
    events: [...everyday, 'rename', 'rename', 'rename', 'theirRename', 'theirRename', 'theirRename'],
    faults: [...cuts, ...crashes],
  },
  unicode: {
    name: 'names with accents, in both Unicode forms and letter cases',
    paths: ['m/é', 'm/É', 'm/ü/é', 'm-É-mine'],
    events: [...everyday, 'rename', 'rename', 'theirRename', 'theirRename', 'respell', 'respell', 'open', 'save'],
    faults: [...cuts, ...crashes],
  },
  ignoring: {
    name: 'ignore rules that change in the middle of a run',
    paths: PATHS,
    events: [...everyday, 'ignore', 'ignore', 'rename', 'theirRename', 'open', 'save'],
    faults: [...cuts, ...crashes, ...powerLosses],
  },
  restoring: {
    name: 'versions that come back from the trash in between',
    paths: PATHS,
    events: [...everyday, 'rename', 'theirRename', 'open', 'save', 'writeback'],
    faults: [...cuts, ...crashes, ...powerLosses],
    restores: true,
  },
  lostReplies: {
    name: 'replies that are lost while both sides go on changing',
    paths: PATHS,
    events: [...everyday, 'edit', 'rename', 'open', 'save'],
    faults: ['lost', 'lost', 'lost', 'lost', 'cut', 'busy', 'cancelAfter', ...crashes, ...powerLosses],
    restores: true,
  },
} as const satisfies Readonly<Record<string, Nastiness>>;

/** Kinds about the engine's own records and listings; only disks in memory support them. */
export const troubles = {
  records: {
    name: 'records of the engine that are damaged, lost, or from an earlier day',
    paths: PATHS,
    events: [...everyday, 'rename', 'theirRename', 'open', 'save', 'writeback'],
    faults: [...cuts, ...crashes, ...powerLosses, 'stateError', 'stateError'],
    damages: ['olderBase', 'olderBase', 'lostBase', 'lostJournal', 'badBase', 'badJournal'],
  },
  readErrors: {
    name: 'records of the engine that cannot be read or written for a moment',
    paths: PATHS,
    events: [...everyday, 'rename', 'theirRename', 'open', 'save', 'writeback'],
    faults: ['stateError', 'stateError', 'stateError', 'lost', ...crashes, ...powerLosses],
    damages: ['baseError', 'journalError'],
  },
  listings: {
    name: 'lists that end early, of both sides',
    paths: PATHS,
    events: [...everyday, 'cutList', 'cutList', 'cutList', 'unreadable', 'unreadable', 'unreadable', 'rename'],
    faults: [...cuts, ...crashes],
  },
  untrue: {
    name: 'writes that the platform confirms without effect, or lists late',
    paths: PATHS,
    events: [...everyday, 'ignoreWrite', 'ignoreWrite', 'lateList', 'lateList', 'rename'],
    faults: [...cuts, ...crashes],
  },
} as const satisfies Readonly<Record<string, Nastiness>>;

/** Returns a schedule of this kind; the same for the same seed. */
export function nastySchedule(
  { paths, events, faults, restores = false, damages = [] }: Nastiness,
  seed: number,
): Schedule {
  const below = randomFrom(seed);
  const event = (): WorldEvent => eventOf(events[below(events.length)] ?? 'edit', paths.length, below);
  const act = (): Act => {
    const choice = below(12);
    if (restores && choice < 3) return { do: 'restore', item: below(3) };
    if (choice < 6) return event();
    if (choice < 8) return { do: 'push', transaction: below(3) === 0 };
    if (choice < 10) return { do: 'pull' };
    if (choice === 10) return { do: 'resolve', path: below(paths.length), mine: below(2) === 0 };
    const what = damages.length > 0 ? damages[below(damages.length)] : undefined;
    return what ? { do: 'damage', what } : { do: 'restart' };
  };
  const fault = (): Fault => {
    if (below(2) === 0) return { kind: 'event', event: event() };
    return { kind: faults[below(faults.length)] ?? 'crash' };
  };
  return {
    acts: [{ do: 'pull' }, ...Array.from({ length: 5 + below(9) }, act)],
    faults: Array.from({ length: below(9) }, () => [8 + below(60), fault()] as const),
    shared: [0, 2].filter(() => below(4) > 0),
    coins: below(0x7fffffff),
    paths,
  };
}

function eventOf(kind: WorldEvent['do'], paths: number, below: (below: number) => number): WorldEvent {
  const path = below(paths);
  switch (kind) {
    case 'writeback':
    case 'cycle':
    case 'theirCycle':
    case 'cutList':
    case 'unreadable':
    case 'ignoreWrite':
    case 'lateList':
      return { do: kind };
    case 'rename':
    case 'theirRename':
      return { do: kind, path, to: below(paths) };
    default:
      return { do: kind, path };
  }
}
