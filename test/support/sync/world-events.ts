export const PATHS = ['m/a', 'm/b', 'm/c/x'] as const;

/** The actions of the user at this desk. Paths are numbers. */
export type PersonsEvent =
  | { readonly do: 'edit' | 'delete' | 'open' | 'save'; readonly path: number }
  | { readonly do: 'rename'; readonly path: number; readonly to: number };

/** The events around the engine: by the user, a colleague, or the disk. */
export type WorldEvent =
  | PersonsEvent
  | { readonly do: 'theirEdit' | 'theirDelete'; readonly path: number }
  | { readonly do: 'theirRename'; readonly path: number; readonly to: number }
  /** A program here changes the name of this file to the other Unicode form. */
  | { readonly do: 'respell'; readonly path: number }
  /** All paths exchange their contents, a → b → c → a. */
  | { readonly do: 'cycle' }
  | { readonly do: 'theirCycle' }
  /** The user excludes this path from sync from now on, and no other. */
  | { readonly do: 'ignore'; readonly path: number }
  | { readonly do: 'writeback' }
  /** The next list of the branch ends early and reports that; the next scan cannot read a folder. */
  | { readonly do: 'cutList' | 'unreadable' }
  /** The next write is confirmed without effect; the next two lists after it show the versions before. */
  | { readonly do: 'ignoreWrite' | 'lateList' };

/** Damage to the engine's own records between two sessions: by a backup, a cleaner, or a bad disk. */
export type Damage =
  | 'olderBase'
  | 'lostBase'
  | 'lostJournal'
  | 'badBase'
  | 'badJournal'
  /** Only the next attempt to read it fails. */
  | 'baseError'
  | 'journalError';

/** A fault at one call of a port. */
export type Fault =
  | { readonly kind: 'event'; readonly event: WorldEvent }
  | { readonly kind: 'crash' | 'crashAfter' | 'powerLoss' | 'powerLossAfter' }
  /** The connection breaks before, or after, the platform performed the request. */
  | { readonly kind: 'cut' | 'lost' | 'busy' }
  | { readonly kind: 'full' }
  /** A record of the engine cannot be read or written at the moment. */
  | { readonly kind: 'stateError' }
  /** The user stops the run: before its next request, or while the platform already performs it. */
  | { readonly kind: 'cancel' | 'cancelAfter' };

/** `effect`: a change of the user's files. */
export type PortKind = 'disk' | 'files' | 'effect' | 'stage' | 'remote' | 'state';

/** The calls that a fault strikes before, or after, their effect. */
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
