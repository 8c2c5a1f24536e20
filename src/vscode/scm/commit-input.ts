import { type BranchTarget, folderTarget } from '#protocol/targets.ts';
import type { Services } from '../services.ts';
import type { ControlTarget } from './menu-arguments.ts';

/** A commit that was asked for in a Source Control input: its branch, and the message that was typed. */
export class CommitInput implements BranchTarget {
  readonly accountId: string;
  readonly deploymentId: string;
  readonly branchName: string;
  readonly #box: { value: string };

  constructor(target: BranchTarget, box: { value: string }) {
    this.accountId = target.accountId;
    this.deploymentId = target.deploymentId;
    this.branchName = target.branchName;
    this.#box = box;
  }

  get message(): string {
    return this.#box.value.trim();
  }

  /** The message was used. */
  clear(): void {
    this.#box.value = '';
  }
}

/** The input that a commit was asked for in, by its key or by the button above it. */
export function commitInputOf({ syncs }: Pick<Services, 'syncs'>, argument: unknown): CommitInput | undefined {
  if (argument instanceof CommitInput) return argument;
  const folder = folderTarget(argument);
  const session = folder && 'inputBox' in (argument as object) ? syncs.ofFolder(folder.folderId) : undefined;
  return session && new CommitInput(session.target, (argument as ControlTarget).inputBox);
}
