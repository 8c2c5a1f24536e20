import { compareTexts, type FileDifference } from '#features/folders/index.ts';

/** The SHA-1 of each file of a branch, by path. */
export type FileHashes = ReadonlyMap<string, string>;

/** The differences between a dev branch and its parent, by file. A file that both have changed is in both lists. */
export interface BranchDelta {
  /** The changes that a commit makes to the parent. */
  readonly toCommit: readonly FileDifference[];
  /** The changes that a pull makes to the dev branch. */
  readonly incoming: readonly FileDifference[];
}

/**
 * Compares a dev branch with its parent. `base` is the last version that both had in common; a file that only the parent has
 * changed since is incoming and not the user's to commit.
 */
export function branchDelta(dev: FileHashes, parent: FileHashes, base: FileHashes): BranchDelta {
  const isChanged = (side: FileHashes, path: string): boolean => side.get(path) !== base.get(path);
  return {
    toCommit: compareTexts(parent, dev).filter(({ path }) => isChanged(dev, path)),
    incoming: compareTexts(dev, parent).filter(({ path }) => isChanged(parent, path)),
  };
}

/** Returns the base after a comparison: a file whose versions are equal on both branches has this version as its new base. */
export function nextBase(dev: FileHashes, parent: FileHashes, base: FileHashes): FileHashes {
  const next = new Map(base);
  for (const path of new Set([...base.keys(), ...dev.keys(), ...parent.keys()])) {
    const version = dev.get(path);
    if (version !== parent.get(path)) continue;
    if (version === undefined) next.delete(path);
    else next.set(path, version);
  }
  return next;
}
