import type { BaseEntry } from '#sync/core/base.ts';
import type { FileRules } from '#sync/core/selection/file-rules.ts';
import type { LocalListing, RemoteListing } from '#sync/core/ports.ts';

/** Everything that a plan is based on. */
export interface PlanInput {
  readonly target: string;
  readonly generation: number;
  readonly time: number;
  readonly base: ReadonlyMap<string, BaseEntry>;
  /** The identity of the folder that the base was taken from. */
  readonly baseRoot: string | undefined;
  readonly local: LocalListing;
  readonly remote: RemoteListing;
  /** Paths with unsaved changes in an editor. */
  readonly dirty: ReadonlySet<string>;
  readonly ignores: (path: string, isFolder: boolean) => boolean;
  /** Whether the last stop was a crash: an empty file that was not empty before is probably a torn write. */
  readonly unclean: boolean;
  /** Whether the record of the last sync is damaged and the user has not yet seen every difference. */
  readonly isDoubtful?: boolean | undefined;
  /** By default `sync`, where names that only differ in letter case cannot be two files. */
  readonly rules?: FileRules | undefined;
}
