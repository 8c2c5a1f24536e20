import type { Busy, PauseReason, SyncFacts } from './sync-facts.ts';
import type { WaitReason } from '#sync/core/record/outbox.ts';
import type { GuardKind, PlanGuard } from '#sync/core/planning/plan.ts';

/**
 * The one state of a linked folder, with its reason. Everything that shows the status of a folder derives from it, so
 * that *in sync* is shown only where nothing at all is open.
 */
export type SyncState =
  /** A guard blocks the run until the user has reviewed it. */
  | { readonly kind: 'halted'; readonly guard: PlanGuard }
  | { readonly kind: 'readOnly'; readonly why: 'otherWindow' | 'branch' }
  | { readonly kind: 'paused'; readonly by: PauseReason; readonly count: number }
  /** Saved files that could not be uploaded yet; `count` 0: nothing was saved since the platform stopped responding. */
  | { readonly kind: 'waiting'; readonly count: number; readonly reason: WaitReason }
  /** The last check or transfer failed, or a listing was incomplete. */
  | { readonly kind: 'failed'; readonly error: Error }
  | { readonly kind: 'busy'; readonly what: Busy }
  /** Both sides were not compared, or not since the agreed state last changed. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'changes'; readonly local: number; readonly remote: number; readonly conflicts: number }
  /** Nothing to transfer, but some files cannot be synced as they are. */
  | { readonly kind: 'frozen'; readonly count: number }
  | { readonly kind: 'inSync' };

/** Lower ranks are more important. */
const ranks: Readonly<Record<SyncState['kind'], number>> = {
  halted: 0,
  readOnly: 1,
  paused: 2,
  waiting: 3,
  failed: 4,
  busy: 5,
  unknown: 6,
  changes: 7,
  frozen: 8,
  inSync: 9,
};

/** Returns the state that most needs attention, of several folders' states. */
export function worstState(states: readonly SyncState[]): SyncState | undefined {
  return [...states].sort((a, b) => ranks[a.kind] - ranks[b.kind])[0];
}

/** Derives the state from the known facts about a folder. */
export function syncState(facts: SyncFacts): SyncState {
  const [first] = syncStates(facts);
  return first;
}

/** Returns all states that apply to a folder, the most important first; the last one says how both sides compare. */
export function syncStates(facts: SyncFacts): readonly [SyncState, ...SyncState[]] {
  const compared = comparedState(facts);
  const all = [haltedState(facts), readOnlyState(facts), pausedState(facts), waitingState(facts), failedState(facts)];
  const [first, ...rest] = all.filter((state) => state !== undefined);
  return first ? [first, ...rest, compared] : [compared];
}

function haltedState({ plan }: SyncFacts): SyncState | undefined {
  const guard = plan?.guards.find(({ kind }) => halts[kind]);
  return guard && { kind: 'halted', guard };
}

function readOnlyState({ readOnly }: SyncFacts): SyncState | undefined {
  return readOnly && { kind: 'readOnly', why: readOnly };
}

function pausedState({ paused, waiting }: SyncFacts): SyncState | undefined {
  const [by] = [...paused].sort((a, b) => pauseRanks[a] - pauseRanks[b]);
  return by && { kind: 'paused', by, count: waiting };
}

function waitingState({ outbox, outage, waiting }: SyncFacts): SyncState | undefined {
  const reason = outage ?? outbox.find((save) => save.reason.kind !== 'queued')?.reason;
  return reason && { kind: 'waiting', count: waiting, reason };
}

function failedState({ error, outage, plan }: SyncFacts): SyncState | undefined {
  if (error && !outage) return { kind: 'failed', error };
  const incomplete = plan?.guards.find(({ kind }) => kind.endsWith('ListingIncomplete'));
  return incomplete && { kind: 'failed', error: new Error(incomplete.message) };
}

/** Whether a guard shows the folder as halted. Those of listings and deletions only block deletions, which are never automatic. */
const halts: Readonly<Record<GuardKind, boolean>> = {
  stateDamaged: true,
  rootMissing: true,
  rootChanged: true,
  localEmptied: true,
  remoteEmptied: true,
  allChangedLocally: true,
  allChangedRemotely: true,
  localListingIncomplete: false,
  remoteListingIncomplete: false,
  manyDeletesLocal: false,
  manyDeletesRemote: false,
};

const pauseRanks: Readonly<Record<PauseReason, number>> = {
  byUser: 0,
  signedOut: 1,
  gitProvider: 2,
  gitCheckout: 3,
  ownPull: 4,
};

function comparedState({
  busy,
  waiting,
  plan,
  isCurrent,
  localChanges,
  remoteChanges,
  conflicts,
  frozen,
}: SyncFacts): SyncState {
  if (busy) return { kind: 'busy', what: busy };
  if (waiting > 0) return { kind: 'busy', what: 'pushing' };
  if (!plan || !isCurrent) return { kind: 'unknown' };
  const [local, remote, open] = [localChanges.length, remoteChanges.length, conflicts.length];
  if (local + remote + open > 0) return { kind: 'changes', local, remote, conflicts: open };
  return frozen.length > 0 ? { kind: 'frozen', count: frozen.length } : { kind: 'inSync' };
}
