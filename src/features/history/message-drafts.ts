import type { StateStore } from '#shell/ports.ts';
import type { BranchTarget } from '#shell/targets.ts';

/** What a user filled in for a step that did not succeed. */
interface Draft {
  readonly message: string;
  /** Ids of the ticked options. */
  readonly options: readonly string[];
}

const nothing: Draft = { message: '', options: [] };

/**
 * Messages and options of commits, merges and deploys that did not succeed, so that the next attempt starts with them, also after
 * the window was reloaded.
 */
export class MessageDrafts {
  readonly #state: StateStore | undefined;
  readonly #drafts = new Map<string, Draft | undefined>();
  readonly #inputs = new Map<string, { value: string }>();

  /** `state`: where drafts outlive the window. */
  constructor(state?: StateStore) {
    this.#state = state;
  }

  /** Returns the message of the last attempt; `undefined` if there is none. */
  of(step: string, target: BranchTarget): string | undefined {
    return this.#read(keyOf(step, target))?.message;
  }

  /** Returns the ids of the options that were ticked at the last attempt. */
  optionsOf(step: string, target: BranchTarget): readonly string[] {
    return this.#read(keyOf(step, target))?.options ?? [];
  }

  /** Stores a message, and the Source Control input that it was typed in. */
  keep(step: string, target: BranchTarget, message: string, input?: { value: string }): void {
    const key = keyOf(step, target);
    this.#write(key, { ...(this.#read(key) ?? nothing), message });
    if (input) this.#inputs.set(key, input);
  }

  /** Stores the options of a step that is sent. */
  keepOptions(step: string, target: BranchTarget, options: readonly string[]): void {
    const key = keyOf(step, target);
    this.#write(key, { ...(this.#read(key) ?? nothing), options });
  }

  /** Drops the draft after the step has succeeded, and clears an input that still contains its message. */
  forget(step: string, target: BranchTarget): void {
    const key = keyOf(step, target);
    const input = this.#inputs.get(key);
    if (input && input.value.trim() === this.#read(key)?.message) input.value = '';
    if (this.#read(key)) this.#write(key, undefined);
    this.#inputs.delete(key);
  }

  #read(key: string): Draft | undefined {
    return this.#drafts.has(key) ? this.#drafts.get(key) : draftIn(this.#state?.get(key));
  }

  #write(key: string, draft: Draft | undefined): void {
    this.#drafts.set(key, draft);
    // Without a place on disk, the draft lasts as long as the window. Otherwise only the store has it, where it can be erased.
    const stored = (): void => {
      if (this.#drafts.get(key) === draft) this.#drafts.delete(key);
    };
    this.#state?.set(key, draft).then(stored, () => undefined);
  }
}

function draftIn(stored: unknown): Draft | undefined {
  if (typeof stored !== 'object' || stored === null || !('message' in stored)) return undefined;
  const { message } = stored;
  const options: unknown = 'options' in stored ? stored.options : [];
  if (typeof message !== 'string' || !Array.isArray(options)) return undefined;
  return { message, options: options.filter((each) => typeof each === 'string') };
}

const keyOf = (step: string, { accountId, deploymentId, branchName }: BranchTarget): string =>
  `stepDraft.${JSON.stringify([step, accountId, deploymentId, branchName])}`;
