import type { FileRules } from '#sync/core/selection/file-rules.ts';
import type { FollowedLink } from '#sync/core/selection/followed-link.ts';
import type { IgnoreFile, IgnoreFileName } from '#sync/core/selection/ignore.ts';
import type { FrozenReason } from '#sync/core/planning/plan.ts';
import type { DiskCalls } from './disk-calls.ts';
import type { StatTable } from './stat-table.ts';

/** What a scan is to walk, and by which rules. */
export interface ScanJob {
  /** Absolute path of the folder. */
  readonly root: string;
  /** The beginning of its paths on the platform, without a trailing slash; may be empty. */
  readonly prefix: string;
  /** Absolute path of the project, which links may lead to anywhere in; by default `root`. */
  readonly project?: string | undefined;
  /** By default `sync`. With `deploy`, links are followed. */
  readonly rules?: FileRules | undefined;
  readonly ignoreLines: readonly string[];
  readonly ignoreFiles?: readonly IgnoreFile[] | undefined;
  readonly ignoreNames?: readonly IgnoreFileName[] | undefined;
  readonly verify: boolean;
  readonly maxFileSize: number;
}

export interface ScannedFile {
  readonly path: string;
  readonly hash: string;
  readonly size: number;
  readonly torn: boolean;
}

/** The knowledge that a scan starts with, and the listener for new results. */
export interface ScanKnowledge {
  readonly table: StatTable;
  /** The number of this scan, increasing. */
  readonly round: number;
  /** Called for each file whose hash was not reported before. */
  readonly found: (file: ScannedFile) => void;
  /** The file system, by default this machine's. */
  readonly calls?: DiskCalls | undefined;
}

export interface ScanSummary {
  readonly frozen: readonly (readonly [string, FrozenReason])[];
  /** Paths whose name on the disk is not in NFC: path → that name. */
  readonly aliases: readonly (readonly [string, string])[];
  /** The symbolic links that were followed. */
  readonly links: readonly (readonly [string, FollowedLink])[];
  readonly complete: boolean;
  readonly root: string | undefined;
  readonly ignoreFiles: readonly IgnoreFile[];
  /** Absolute paths of our temporary and set-aside files. */
  readonly leftovers: readonly string[];
  /** Files that were read and hashed, and their bytes: the others came from the table. */
  readonly hashed: number;
  readonly hashedBytes: number;
}

/** Our temporary and set-aside files; never listed. */
export const OWN_FILE = /^\.modelbench-[\w-]+\.(tmp|old)$/;
