import { plural } from '#base/words.ts';
import type { Effect } from './effects.ts';
import type { ApplyOptions, FailedPath, SyncOutcome } from '#sync/core/folder-sync.ts';
import type { LocalEffect } from './local-effects.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import { FileProblem, type TrashCause } from '#sync/core/ports.ts';

type Verb = 'Pushed' | 'Pulled' | 'Resolved' | 'Discarded' | 'Reverted';

/** `isAutomatic`: the run uploads what was just saved, without a step of the user. */
type RunOptions = ApplyOptions & { readonly isAutomatic?: boolean };

/** Collects the results of a push or pull, and summarizes them in one sentence. */
export class SyncRun {
  readonly applied: PlanEntry[] = [];
  /** Effects that the platform confirmed, and that nothing has shown yet. */
  readonly confirmed: Effect[] = [];
  readonly changed = new Set<string>();
  readonly failed: FailedPath[] = [];
  /** Ids of the versions that went to the trash. */
  readonly trashed: string[] = [];
  /** The cause that the trash records for them. */
  readonly cause: TrashCause;
  bytes = 0;
  cancelled = false;
  /** The number of changes that were sent and whose outcome was unknown when the run was stopped. */
  unanswered = 0;
  readonly #total: number;
  readonly #options: RunOptions;
  #done = 0;

  constructor(total: number, options: RunOptions, cause: TrashCause = 'pull') {
    this.#total = total;
    this.#options = options;
    this.cause = cause;
  }

  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  /** Why it writes to the platform, where that is not a step of the user. */
  get why(): 'save' | undefined {
    return this.#options.isAutomatic === true ? 'save' : undefined;
  }

  /** The message of the commit that the run makes, if it makes one. */
  get message(): string | undefined {
    return this.#options.message;
  }

  /** Whether to stop before the next step. */
  get stopped(): boolean {
    if (this.signal?.aborted === true) this.cancelled = true;
    return this.cancelled;
  }

  /** Counts a path as transferred, for the progress only. */
  progress(path: string, bytes: number): void {
    this.#done += 1;
    this.bytes += bytes;
    this.#options.onProgress?.({ done: this.#done, total: this.#total, bytes: this.bytes, path });
  }

  /** Records what a replaced or deleted file left in the trash. */
  setAside(result: LocalEffect): void {
    if (result.kind === 'done' && result.backup !== undefined) this.trashed.push(result.backup);
  }

  fail(path: string, error: Error): void {
    this.failed.push({ path, message: error.message, error });
  }

  /** The error of the first failure, for the status. */
  get firstError(): Error | undefined {
    return this.failed.find((failure) => failure.error)?.error;
  }

  outcome(verb: Verb): SyncOutcome {
    const { applied, failed, bytes, trashed } = this;
    const changed = [...this.changed];
    const complete = changed.length === 0 && failed.length === 0;
    const status = this.cancelled ? 'cancelled' : complete ? 'done' : 'partial';
    return { status, applied, changed, failed, bytes, trashed, message: this.#sentence(verb, changed) };
  }

  #sentence(verb: string, changed: readonly string[]): string {
    const sentences = [`${verb} ${plural(this.applied.length, 'file')}.`];
    if (this.cancelled) sentences.push(this.#stopped());
    if (changed.length > 0) {
      sentences.push(
        `${plural(changed.length, 'file')} changed meanwhile and ${changed.length === 1 ? 'was' : 'were'} left alone. Refresh the changes to see ${changed.length === 1 ? 'it' : 'them'}.`,
      );
    }
    const [first] = this.failed;
    if (first) sentences.push(`${plural(this.failed.length, 'file')} failed: ${first.message}`);
    return sentences.join(' ');
  }

  #stopped(): string {
    if (this.unanswered === 0) return 'Stopped; the remaining files are unchanged.';
    const [changes, it] = [plural(this.unanswered, 'change'), this.unanswered === 1 ? 'it' : 'them'];
    return `Stopped before the outcome of ${changes} was known, so the platform may have made ${it}. The next comparison shows whether it did.`;
  }
}

/** Returns an outcome in which nothing happened. */
export function refused(message: string): SyncOutcome {
  return outcomeWith('refused', message);
}

/** Turns a refusal of the disk into an outcome; rethrows any other error. */
export function refusedByDisk(error: unknown): SyncOutcome {
  if (error instanceof FileProblem) return refused(error.message);
  throw error;
}

/** Returns an outcome that consists of its message only. */
export function outcomeWith(status: SyncOutcome['status'], message: string): SyncOutcome {
  return { status, applied: [], changed: [], failed: [], bytes: 0, trashed: [], message };
}
