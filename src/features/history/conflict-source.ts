import type { FileTarget } from '#shell/targets.ts';

/** The version that resolves a file: the local one, the other one, or the current file. */
export type ConflictChoice = 'mine' | 'theirs' | 'merged';

/** The other version of a file in conflict, and the common ancestor. */
export interface OtherVersion {
  /** Its hash. */
  readonly remote: string;
  readonly theirs: string;
  /** The common ancestor; computed from both versions if it is unknown. */
  readonly base: string | ((mine: string, theirs: string) => string);
  /** Whether a Git step waits for the file. */
  readonly inStep: boolean;
}

/** How a conflict is shown: as a diff if one side has no such file, as a question if only the line endings differ. */
export type ConflictOpening =
  | ({ readonly kind: 'merge' } & OtherVersion)
  | { readonly kind: 'difference' }
  | { readonly kind: 'lineEndings' };

/** The result of a resolution. */
export interface Resolved {
  /** A text about what is left to do. */
  readonly rest: string;
  /** Ids of the versions that were moved to the trash. */
  readonly trashed: readonly string[];
}

/** Conflicts of files: with the dev branch on the platform, or with another branch after a Git step stopped. */
export interface ConflictSource {
  readonly open: (file: FileTarget) => Promise<ConflictOpening>;
  /** Resolves to `undefined` if the user cancels. */
  readonly resolve: (file: FileTarget, choice: ConflictChoice) => Promise<Resolved | undefined>;
}
