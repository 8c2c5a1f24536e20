import type { WaitingSave, WaitReason } from './outbox.ts';
import type { Plan, PlanEntry } from './plan.ts';

export type Busy = 'checking' | 'pushing' | 'pulling';

/** Why nothing is sent automatically. An untrusted window, and one without a dev branch, has no sync at all. */
export type PauseReason =
  /** Git moves the files of the folder, or a merge or rebase of it is unfinished. */
  | 'gitCheckout'
  /** The platform commits, pulls or merges the branch for the user. */
  | 'ownPull'
  /** The deployment takes its files from a Git provider, and the user has not said that they know. */
  | 'gitProvider'
  /** The platform refuses the key. */
  | 'signedOut'
  /** *Pause Sync*. */
  | 'byUser';

/** What is known of a linked folder. */
export interface SyncFacts {
  readonly busy: Busy | undefined;
  readonly paused: readonly PauseReason[];
  /** Another window writes the folder, or the branch is not a dev branch. */
  readonly readOnly: 'otherWindow' | 'branch' | undefined;
  /** The platform did not answer or did not work: what is saved waits. */
  readonly outage: WaitReason | undefined;
  /** The last plan; undefined before the first comparison. */
  readonly plan: Plan | undefined;
  /** Entries that push would send. */
  readonly localChanges: readonly PlanEntry[];
  /** Entries that pull would bring. */
  readonly remoteChanges: readonly PlanEntry[];
  readonly conflicts: readonly Extract<PlanEntry, { kind: 'conflict' }>[];
  readonly frozen: readonly Extract<PlanEntry, { kind: 'frozen' }>[];
  /** Whether the plan belongs to what both sides agree on now. */
  readonly isCurrent: boolean;
  /** Saved files that the platform does not have yet, each with the reason. */
  readonly outbox: readonly WaitingSave[];
  /** How many those are. */
  readonly waiting: number;
  /** ms since the epoch of the last time both sides were compared; undefined before. */
  readonly lastChecked: number | undefined;
  /** ms since the epoch of the last transfer. */
  readonly lastSynced: number | undefined;
  /** The last failure, until something works again. Show `error.message`. */
  readonly error: Error | undefined;
}
