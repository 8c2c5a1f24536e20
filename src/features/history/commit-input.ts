import type { BranchTarget, CommitTarget, FolderTarget } from '#shell/targets.ts';
import type { BranchFinder } from '#features/history/step-ports.ts';

/** A commit that was asked for in a Source Control input: its branch, and where the message was typed. */
export interface CommitInput extends BranchTarget {
  readonly inputBox: { value: string };
}

/** The input that a commit was asked for in, by its key or by the button above it. */
export function commitInputOf(
  { syncs }: Pick<BranchFinder, 'syncs'>,
  given: CommitTarget | BranchTarget | FolderTarget | undefined,
): CommitInput | undefined {
  if (!given || !('inputBox' in given)) return undefined;
  const target = 'branchName' in given ? given : syncs.ofFolder(given.folderId)?.target;
  return target && { ...target, inputBox: given.inputBox };
}
