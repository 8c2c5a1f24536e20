export const PATHS = ['m/a', 'm/b', 'm/c/x'] as const;

/** What the user at this desk does. Paths by number. */
export type PersonsEvent =
  | { readonly do: 'edit' | 'delete' | 'open' | 'save'; readonly path: number }
  | { readonly do: 'rename'; readonly path: number; readonly to: number };

/** What happens in the world around the engine: the user, a colleague, the disk. */
export type WorldEvent =
  | PersonsEvent
  | { readonly do: 'theirEdit' | 'theirDelete'; readonly path: number }
  | { readonly do: 'theirRename'; readonly path: number; readonly to: number }
  /** A program here spells the name of this file in the other Unicode form. */
  | { readonly do: 'respell'; readonly path: number }
  /** The contents of all paths take each other's place, a → b → c → a. */
  | { readonly do: 'cycle' }
  | { readonly do: 'theirCycle' }
  /** The user leaves this path out of sync from now on, and no other. */
  | { readonly do: 'ignore'; readonly path: number }
  | { readonly do: 'writeback' }
  /** The next list of the branch ends early, and says so; the next scan cannot read a folder. */
  | { readonly do: 'cutList' | 'unreadable' };

/** What becomes of the engine's own records between two sessions: from a backup, by a cleaner, by a bad disk. */
export type Damage =
  | 'olderBase'
  | 'lostBase'
  | 'lostJournal'
  | 'badBase'
  | 'badJournal'
  /** Nothing, but the next attempt to read it fails. */
  | 'baseError'
  | 'journalError';

/** What goes wrong at one call of a port. */
export type Fault =
  | { readonly kind: 'event'; readonly event: WorldEvent }
  | { readonly kind: 'crash' | 'crashAfter' | 'powerLoss' | 'powerLossAfter' }
  /** The connection breaks before, or after, the platform did it. */
  | { readonly kind: 'cut' | 'lost' | 'busy' }
  | { readonly kind: 'full' }
  /** A record of the engine cannot be read or written now. */
  | { readonly kind: 'stateError' }
  /** The user stops the run: before its next request, or while the platform already carries it out. */
  | { readonly kind: 'cancel' | 'cancelAfter' };

/** `effect`: a change of the user's files. */
export type PortKind = 'disk' | 'files' | 'effect' | 'stage' | 'remote' | 'state';

/** Which calls a fault strikes before their effect, and which after it. */
export const struckBefore: Partial<Record<Fault['kind'], PortKind | 'any'>> = {
  crash: 'any',
  powerLoss: 'any',
  full: 'stage',
  stateError: 'state',
  cut: 'remote',
  busy: 'remote',
  cancel: 'any',
};

export const struckAfter: Partial<Record<Fault['kind'], PortKind | 'any'>> = {
  lost: 'remote',
  crashAfter: 'any',
  powerLossAfter: 'any',
  cancelAfter: 'any',
};
