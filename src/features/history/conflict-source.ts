import type { FileTarget } from '#shell/targets.ts';

/** With which version a file is resolved: the local one, the other one, or the file as it is now. */
export type Choice = 'mine' | 'theirs' | 'merged';

/** The other version of a file in conflict, and what both come from. */
export interface OtherVersion {
  /** Its hash. */
  readonly remote: string;
  readonly theirs: string;
  /** What both come from, made of the two where it is unknown. */
  readonly base: string | ((mine: string, theirs: string) => string);
}

/** How a conflict is shown: a difference where one side has no such file, a question where only the line endings differ. */
export type Opening =
  | ({ readonly kind: 'merge' } & OtherVersion)
  | { readonly kind: 'difference' }
  | { readonly kind: 'lineEndings' };

/** What came of resolving. */
export interface Resolved {
  /** What is left to do, in words. */
  readonly rest: string;
  /** Ids of the versions that were moved to the trash. */
  readonly trashed: readonly string[];
}

/** What files are in conflict with: the dev branch on the platform, or another branch since a Git step stopped. */
export interface ConflictSource {
  readonly open: (file: FileTarget) => Promise<Opening>;
  /** `undefined`: the user gave up. */
  readonly resolve: (file: FileTarget, choice: Choice) => Promise<Resolved | undefined>;
}
