import { compareTexts, type FileDifference } from '#features/folders/index.ts';
import { withRenames } from '#features/platform/index.ts';

/** The SHA-1 of each file of a branch, by path. */
export type FileHashes = ReadonlyMap<string, string>;

/** A file that differs between two branches. */
export interface BranchFile extends FileDifference {
  /** The former path of a file that is only renamed; the list has an entry for the deletion of this path as well. */
  readonly from?: string;
}

/** The differences between a dev branch and its parent, by file. A file that both have changed is in both lists. */
export interface BranchDelta {
  /** The changes that a commit makes to the parent. */
  readonly toCommit: readonly BranchFile[];
  /** The changes that a pull makes to the dev branch. */
  readonly incoming: readonly BranchFile[];
}

/**
 * Compares a dev branch with its parent. `base` is the last version that both had in common; a file that only the parent has
 * changed since is incoming and not the user's to commit.
 */
export function branchDelta(dev: FileHashes, parent: FileHashes, base: FileHashes): BranchDelta {
  const isChanged = (side: FileHashes, path: string): boolean => side.get(path) !== base.get(path);
  return {
    toCommit: named(parent, dev),
    incoming: named(dev, parent),
  };
  /** Returns the differences that `after` has made, with the renames among them, as on the page of a commit. */
  function named(before: FileHashes, after: FileHashes): readonly BranchFile[] {
    const files = compareTexts(before, after).filter(({ path }) => isChanged(after, path));
    const versions = files.map(({ path }) => ({ path, before: before.get(path), after: after.get(path) }));
    const former = new Map(withRenames(versions).map(({ path, from }) => [path, from]));
    return files.map((file) => {
      const from = former.get(file.path);
      return from === undefined ? file : { ...file, from };
    });
  }
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
