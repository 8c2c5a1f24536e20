import type { FileChange, ProposalFiles } from './proposal-ports.ts';

/** Removes a file from the branch again after it was deleted here. */
export type TakeBack = () => Promise<void>;

/** The dev branch that receives saved files. */
export interface UploadBranch {
  /**
   * Resolves to what takes back a file that the branch does not have yet; `undefined` if it has the file, or without a branch.
   */
  takeBackOf(path: string): Promise<TakeBack | undefined>;
}

/**
 * Wraps files that reach a branch when they are saved. A deletion does not, because it waits for the next push: so a file that
 * accepting a proposal created is removed from the branch when the acceptance is undone.
 */
export function filesOnBranch(files: ProposalFiles, branch: UploadBranch): ProposalFiles {
  const made = new Map<string, TakeBack>();
  return {
    read: (path) => files.read(path),
    refusalOf: (path) => files.refusalOf?.(path),
    errorIn: (path) => files.errorIn?.(path),
    merge: (conflict) => files.merge?.(conflict) ?? Promise.resolve(false),
    write: async (changes, requireLanding) => {
      const begun = await newOnes(files, branch, changes);
      await files.write(changes, requireLanding);
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
  branch: UploadBranch,
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
