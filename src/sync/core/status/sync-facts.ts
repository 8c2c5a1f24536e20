import type { WaitingSave, WaitReason } from '#sync/core/record/outbox.ts';
import type { Plan, PlanEntry } from '#sync/core/planning/plan.ts';

export type Busy = 'checking' | 'pushing' | 'pulling';

/** The reason why nothing is uploaded automatically. An untrusted window, or one without a dev branch, has no sync at all. */
export type PauseReason =
  /** Git changes the files of the folder, or a merge or rebase in it is unfinished. */
  | 'gitCheckout'
  /** The platform commits, pulls or merges the branch for the user. */
  | 'ownPull'
  /** The deployment takes its files from a Git provider, and the user has not confirmed that they know. */
  | 'gitProvider'
  /** The platform refuses the key. */
  | 'signedOut'
  /** *Pause Sync*. */
  | 'byUser';

/** The known facts about a linked folder. */
export interface SyncFacts {
  readonly busy: Busy | undefined;
  readonly paused: readonly PauseReason[];
  /** Another window writes the folder, or the branch is not a dev branch. */
  readonly readOnly: 'otherWindow' | 'branch' | undefined;
  /** Set while the platform does not respond or does not work: saves wait. */
  readonly outage: WaitReason | undefined;
  /** The last plan; undefined before the first comparison. */
  readonly plan: Plan | undefined;
  /** Entries that push would upload. */
  readonly localChanges: readonly PlanEntry[];
  /** Entries that pull would download. */
  readonly remoteChanges: readonly PlanEntry[];
  readonly conflicts: readonly Extract<PlanEntry, { kind: 'conflict' }>[];
  readonly frozen: readonly Extract<PlanEntry, { kind: 'frozen' }>[];
  /** Whether the plan matches the current agreed state. */
  readonly isCurrent: boolean;
  /** Saved files that the platform does not have yet, with the reasons. */
  readonly outbox: readonly WaitingSave[];
  /** The number of those files. */
  readonly waiting: number;
  /** When both sides were last compared, in ms since the epoch; undefined before the first comparison. */
  readonly lastChecked: number | undefined;
  /** When something was last transferred, in ms since the epoch. */
  readonly lastSynced: number | undefined;
  /** The last failure, until something works again. Show `error.message`. */
  readonly error: Error | undefined;
}
