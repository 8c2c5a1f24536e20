import type { BranchTarget } from '#shell/targets.ts';

/** Messages of commits and merges that did not succeed, so that the next attempt starts with what was typed. */
export class MessageDrafts {
  readonly #drafts = new Map<string, string>();
  readonly #inputs = new Map<string, { value: string }>();

  of(step: string, target: BranchTarget): string | undefined {
    return this.#drafts.get(keyOf(step, target));
  }

  /** Stores a message, and the Source Control input that it was typed in. */
  keep(step: string, target: BranchTarget, message: string, input?: { value: string }): void {
    const key = keyOf(step, target);
    this.#drafts.set(key, message);
    if (input) this.#inputs.set(key, input);
  }

  /** Drops the message after the step has succeeded, and clears an input that still contains it. */
  forget(step: string, target: BranchTarget): void {
    const key = keyOf(step, target);
    const input = this.#inputs.get(key);
    if (input && input.value.trim() === this.#drafts.get(key)) input.value = '';
    this.#drafts.delete(key);
    this.#inputs.delete(key);
  }
}

const keyOf = (step: string, { accountId, deploymentId, branchName }: BranchTarget): string =>
  JSON.stringify([step, accountId, deploymentId, branchName]);
