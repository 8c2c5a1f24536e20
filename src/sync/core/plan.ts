import type { Hash } from './hash.ts';

/** Why a path is left alone until a user acts. */
export type FrozenReason =
  | 'symlink'
  | 'special'
  | 'unreadable'
  | 'unstable'
  | 'tooBig'
  | 'invalidName'
  | 'reservedName'
  | 'forbiddenName'
  | 'caseCollision'
  /** The platform lists a file where it, or the link, has a folder. */
  | 'folderName'
  | 'normalization'
  /** The platform sends files as text and this one's bytes cannot be had that way. */
  | 'notText'
  /** A deletion that an incomplete listing suggests. */
  | 'listingIncomplete';

export type ConflictReason =
  | 'bothChanged'
  | 'bothAdded'
  /** An editor holds unsaved changes and the platform has a newer version. */
  | 'dirtyEditor'
  /** A file on one side, a folder of that name on the other. */
  | 'fileAndFolder'
  /** Empty after a crash though it was not before: probably a torn write, never uploaded automatically. */
  | 'tornWrite'
  /** Renamed on the platform by letter case only, and changed. */
  | 'caseRename';

/** What is to happen to one path. Sizes in bytes; hashes of what the plan saw, which every write re-checks. */
export type PlanEntry =
  | {
      readonly kind: 'upload';
      readonly path: string;
      /** `restored`: deleted on the platform but changed here; the edit wins. */
      readonly reason: 'added' | 'changed' | 'restored';
      readonly hash: Hash;
      readonly size: number;
      readonly expectedRemote: Hash | undefined;
    }
  | {
      readonly kind: 'download';
      readonly path: string;
      /** `restored`: deleted here but changed on the platform; the edit wins. */
      readonly reason: 'added' | 'changed' | 'restored';
      readonly hash: Hash;
      readonly size: number | undefined;
      readonly expectedLocal: Hash | undefined;
    }
  | { readonly kind: 'deleteRemote'; readonly path: string; readonly expectedRemote: Hash; readonly size: number }
  /** The file goes to the trash, from where it can be restored. */
  | { readonly kind: 'deleteLocal'; readonly path: string; readonly expectedLocal: Hash; readonly size: number }
  | {
      readonly kind: 'renameRemote';
      readonly from: string;
      readonly path: string;
      readonly hash: Hash;
      readonly size: number;
      /** The file was changed here, too: this version follows the rename. */
      readonly edited?: EditedVersion | undefined;
    }
  /** A rename by letter case only. */
  | {
      readonly kind: 'renameLocal';
      readonly from: string;
      readonly path: string;
      readonly hash: Hash;
      readonly size: number;
      /** The file was changed on the platform, too: this version follows the rename. */
      readonly edited?: EditedVersion | undefined;
    }
  | {
      readonly kind: 'conflict';
      readonly path: string;
      readonly reason: ConflictReason;
      readonly base: Hash | undefined;
      readonly local: Hash | undefined;
      readonly remote: Hash | undefined;
      readonly size: number;
      /** The versions differ only in their line endings (known once both were read). */
      readonly eolOnly: boolean;
      /** Why the platform's version could not be read, as a sentence. */
      readonly unread?: string | undefined;
    }
  | { readonly kind: 'frozen'; readonly path: string; readonly side: 'local' | 'remote'; readonly reason: FrozenReason }
  /** Not synced because of an ignore rule, though the platform has it. Never deleted for that. */
  | { readonly kind: 'ignored'; readonly path: string }
  /** Both sides already agree: noted without any transfer. */
  | { readonly kind: 'adopt'; readonly path: string; readonly hash: Hash; readonly size: number }
  /** Gone on both sides, or no longer tracked. */
  | { readonly kind: 'forget'; readonly path: string };

/** What a renamed file became. */
interface EditedVersion {
  readonly hash: Hash;
  readonly size: number;
}

/** Something about the whole run that the user must review first. */
export interface PlanGuard {
  readonly kind: GuardKind;
  /** Which direction it holds up. */
  readonly blocks: 'push' | 'pull' | 'both';
  /** Whether a user may continue after seeing it (pass the kind in `confirmed`). */
  readonly confirmable: boolean;
  /** What is the matter, in words, with counts. */
  readonly message: string;
}

export type GuardKind =
  /** The state of the last sync is damaged: an edit cannot be distinguished from a version that may be overwritten. */
  | 'stateDamaged'
  | 'rootMissing'
  | 'rootChanged'
  | 'localEmptied'
  | 'remoteEmptied'
  | 'allChangedLocally'
  | 'allChangedRemotely'
  | 'manyDeletesRemote'
  | 'manyDeletesLocal'
  | 'localListingIncomplete'
  | 'remoteListingIncomplete';

/** A plan belongs to one target and one base generation; with any other it is discarded. */
export interface Plan {
  /** `targetKey` of the target. */
  readonly target: string;
  readonly generation: number;
  /** When it was made, ms since the epoch. */
  readonly time: number;
  /** Ordered by path. The plan of a `FolderSync` holds no `adopt` and `forget`: they are done. */
  readonly entries: readonly PlanEntry[];
  readonly guards: readonly PlanGuard[];
  /** Number of paths that both sides agree on. */
  readonly unchanged: number;
}

/** Which way an entry goes: `none` moves nothing automatically. */
export function direction(entry: PlanEntry): 'push' | 'pull' | 'none' {
  switch (entry.kind) {
    case 'upload':
    case 'deleteRemote':
    case 'renameRemote':
      return 'push';
    case 'download':
    case 'deleteLocal':
    case 'renameLocal':
      return 'pull';
    default:
      return 'none';
  }
}

/** The size of an entry in bytes; 0 where it has none or the server does not report it. */
export function sizeOf(entry: PlanEntry): number {
  return 'size' in entry ? (entry.size ?? 0) : 0;
}
