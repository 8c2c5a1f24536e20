import type { SeenVersion } from '#features/folders/index.ts';
import type { BranchTarget, FolderTarget } from '#shell/targets.ts';

/** Files of a dev branch that the user has resolved against the branch that is pulled. */
export interface ResolvedFiles {
  readonly parent: string;
  /** By path, the hash of the parent's version that the user resolved the file against; empty if the parent had no such file. */
  readonly against: ReadonlyMap<string, string>;
}

/** A file that someone changed before its resolved version could be put back, and the version that it has now. */
export interface MovedFile extends SeenVersion {
  readonly path: string;
}

/** A dev branch and the linked folder in which its files were resolved. */
export type ResolvedTarget = BranchTarget & FolderTarget;

/** By path, what the branch has during a pull (`lent`) instead of the user's resolved version (`mine`); `null`: no file. */
export type Lent = Readonly<Record<string, { readonly mine: string | null; readonly lent: string | null }>>;

/** What is stored of the branches whose files are lent. */
export interface StoredLent {
  readonly get: (target: ResolvedTarget) => Lent;
  readonly set: (target: ResolvedTarget, lent: Lent) => Promise<void>;
}
