import { type BranchTarget, branchTarget, folderTarget } from '#protocol/targets.ts';
import type { Services } from '../services.ts';

/** A commit that was asked for in a Source Control input: its branch, and where the message was typed. */
export interface CommitInput extends BranchTarget {
  readonly inputBox: { value: string };
}

/** The input that a commit was asked for in, by its key or by the button above it. */
export function commitInputOf({ syncs }: Pick<Services, 'syncs'>, argument: unknown): CommitInput | undefined {
  if (typeof argument !== 'object' || argument === null || !('inputBox' in argument)) return undefined;
  const { inputBox } = argument as Pick<CommitInput, 'inputBox'>;
  const folder = folderTarget(argument);
  const target = branchTarget(argument) ?? (folder && syncs.ofFolder(folder.folderId)?.target);
  return target && { ...target, inputBox };
}
