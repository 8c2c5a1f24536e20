import type { FileChange, ProposalFiles } from './proposal-ports.ts';

/** Takes a file away from the branch again, once it is gone here. */
export type TakeBack = () => Promise<void>;

/** The dev branch that saved files go to. */
export interface BranchSide {
  /** How a file is taken back that the branch does not have yet; `undefined` for one that it has, and without a branch. */
  takeBackOf(path: string): Promise<TakeBack | undefined>;
}

/**
 * Files that reach a branch when they are saved. A deletion does not: it waits to be pushed. One that was only made by
 * accepting it is not left there when that is undone.
 */
export function filesOnBranch(files: ProposalFiles, branch: BranchSide): ProposalFiles {
  const made = new Map<string, TakeBack>();
  return {
    read: (path) => files.read(path),
    refusalOf: (path) => files.refusalOf?.(path),
    errorIn: (path) => files.errorIn?.(path),
    merge: (conflict) => files.merge?.(conflict) ?? Promise.resolve(false),
    write: async (changes) => {
      const begun = await newOnes(files, branch, changes);
      await files.write(changes);
      for (const { path, text } of changes) {
        const takeBack = text === undefined ? made.get(path) : undefined;
        made.delete(path);
        const again = begun.get(path);
        if (again) made.set(path, again);
        await takeBack?.();
      }
    },
  };
}

async function newOnes(
  files: ProposalFiles,
  branch: BranchSide,
  changes: readonly FileChange[],
): Promise<ReadonlyMap<string, TakeBack>> {
  const begun = new Map<string, TakeBack>();
  for (const { path, text } of changes) {
    if (text === undefined || (await files.read(path))) continue;
    const takeBack = await branch.takeBackOf(path);
    if (takeBack) begun.set(path, takeBack);
  }
  return begun;
}
