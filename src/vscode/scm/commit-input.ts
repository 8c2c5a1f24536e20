import type { BranchTarget } from '#protocol/targets.ts';

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
