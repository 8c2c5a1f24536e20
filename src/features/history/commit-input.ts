import type { BranchTarget, CommitTarget, FolderTarget } from '#shell/targets.ts';
import type { BranchFinder } from '#features/history/step-ports.ts';

/** A commit from a Source Control input: its branch, and the input with the message. */
export interface CommitInput extends BranchTarget {
  readonly inputBox: { value: string };
  /** The branch that the input names as the destination; `undefined` if it names none. */
  readonly to?: string | undefined;
}

/** Returns the input that a commit was requested from, by its shortcut or by the button above it. */
export function commitInputOf(
  { syncs }: Pick<BranchFinder, 'syncs'>,
  given: CommitTarget | BranchTarget | FolderTarget | undefined,
): CommitInput | undefined {
  if (!given || !('inputBox' in given)) return undefined;
  const target = 'branchName' in given ? given : syncs.ofFolder(given.folderId)?.target;
  return target && { ...target, inputBox: given.inputBox, to: given.to };
}
