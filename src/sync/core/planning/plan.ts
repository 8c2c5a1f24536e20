import type { FollowedLink } from '#sync/core/selection/followed-link.ts';
import type { Hash } from '#sync/core/hash.ts';

/** The reason why a path is left alone until a user acts. */
export type FrozenReason =
  | 'symlink'
  /** A symbolic link to nothing, or to itself. */
  | 'brokenLink'
  /** A symbolic link to a folder that contains the link: following it would never end. */
  | 'linkLoop'
  /** Too many files are reached through links. */
  | 'tooManyLinked'
  /** A folder with a `modelbench.json` of its own: it is synced through that one. */
  | 'linkedApart'
  | 'special'
  | 'unreadable'
  | 'unstable'
  | 'tooBig'
  | 'invalidName'
  | 'reservedName'
  | 'forbiddenName'
  | 'caseCollision'
  /** The platform lists a file with the path of one of its folders, or of the linked folder. */
  | 'folderName'
  | 'normalization'
  /** The platform sends files as text, and the bytes of this one cannot be retrieved that way. */
  | 'notText'
  /** A deletion that an incomplete listing suggests. */
  | 'listingIncomplete';

export type ConflictReason =
  | 'bothChanged'
  | 'bothAdded'
  /** An editor has unsaved changes and the platform has a newer version. */
  | 'dirtyEditor'
  /** A file on one side, a folder of the same name on the other. */
  | 'fileAndFolder'
  /** Empty after a crash although it was not before: probably a torn write, never uploaded automatically. */
  | 'tornWrite'
  /** Renamed on the platform by letter case only, and also changed. */
  | 'caseRename';

/** The planned change to one path. Sizes are in bytes. Hashes are those that the plan saw; every write checks them again. */
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
      /** The file was also changed here: this version follows the rename. */
      readonly edited?: EditedVersion | undefined;
    }
  /** A rename by letter case only. */
  | {
      readonly kind: 'renameLocal';
      readonly from: string;
      readonly path: string;
      readonly hash: Hash;
      readonly size: number;
      /** The file was also changed on the platform: this version follows the rename. */
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
      /** Whether the versions differ only in their line endings (known once both were read). */
      readonly eolOnly: boolean;
      /** A sentence on why the platform's version could not be read. */
      readonly unread?: string | undefined;
    }
  | { readonly kind: 'frozen'; readonly path: string; readonly side: 'local' | 'remote'; readonly reason: FrozenReason }
  /** Not synced because of an ignore rule, although the platform has it. Never deleted for that reason. */
  | { readonly kind: 'ignored'; readonly path: string }
  /** Both sides already agree: recorded without a transfer. */
  | { readonly kind: 'adopt'; readonly path: string; readonly hash: Hash; readonly size: number }
  /** Gone on both sides, or no longer tracked. */
  | { readonly kind: 'forget'; readonly path: string };

/** The edit of a file that was also renamed. */
interface EditedVersion {
  readonly hash: Hash;
  readonly size: number;
}

/** A problem with the whole run that the user must review first. */
export interface PlanGuard {
  readonly kind: GuardKind;
  /** The direction that it blocks. */
  readonly blocks: 'push' | 'pull' | 'both';
  /** Whether a user may continue after seeing it (by passing the kind in `confirmed`). */
  readonly confirmable: boolean;
  /** A description of the problem, with counts. */
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

/** The comparison of both sides. A plan belongs to one target and one base generation; with any other, it is discarded. */
export interface Plan {
  /** The `targetKey` of the target. */
  readonly target: string;
  readonly generation: number;
  /** Creation time, in ms since the epoch. */
  readonly time: number;
  /** Ordered by path. The plan of a `FolderSync` contains no `adopt` and `forget` entries: they are done already. */
  readonly entries: readonly PlanEntry[];
  readonly guards: readonly PlanGuard[];
  /** The number of paths that both sides agree on. */
  readonly unchanged: number;
  /** The links that a comparison for a deploy followed, by their paths. */
  readonly links?: ReadonlyMap<string, FollowedLink> | undefined;
}

/** Returns the direction of an entry: `none` moves nothing automatically. */
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

/** Returns the size of an entry in bytes; 0 where it has none or the server does not report it. */
export function sizeOf(entry: PlanEntry): number {
  return 'size' in entry ? (entry.size ?? 0) : 0;
}
