import type { BranchTarget } from '#shell/targets.ts';

/** Messages of commits and merges that did not go through, so that the next attempt begins with what was typed. */
export class MessageDrafts {
  readonly #drafts = new Map<string, string>();

  of(step: string, target: BranchTarget): string | undefined {
    return this.#drafts.get(keyOf(step, target));
  }

  keep(step: string, target: BranchTarget, message: string): void {
    this.#drafts.set(keyOf(step, target), message);
  }

  /** The step went through. */
  forget(step: string, target: BranchTarget): void {
    this.#drafts.delete(keyOf(step, target));
  }
}

const keyOf = (step: string, { accountId, deploymentId, branchName }: BranchTarget): string =>
  JSON.stringify([step, accountId, deploymentId, branchName]);
