import { CancelledError, type Sequencer } from '#base/async.ts';
import type { Plan } from './plan.ts';

/**
 * The comparison of a linked folder with its branch that callers share. It gives way to operations of the user, because it
 * waits for a platform that may not respond for long; callers then get the comparison that follows the operation.
 */
export class SharedComparison {
  readonly #turn: Sequencer;
  readonly #compare: (signal: AbortSignal) => Promise<Plan>;
  #next: Promise<Plan> | undefined;
  readonly #running = new Set<AbortController>();

  constructor(turn: Sequencer, compare: (signal: AbortSignal) => Promise<Plan>) {
    this.#turn = turn;
    this.#compare = compare;
  }

  /** Resolves to a plan made after this call: a running comparison may have missed what the caller just did. */
  run(): Promise<Plan> {
    this.#next ??= this.#inTurn();
    return this.#next;
  }

  /** Ends the running comparison, so that what is queued next starts at once. */
  interrupt(): void {
    for (const interruption of this.#running)
      interruption.abort(new CancelledError('An operation of the user comes first.'));
  }

  async #inTurn(): Promise<Plan> {
    const interruption = new AbortController();
    this.#running.add(interruption);
    const { signal } = interruption;
    try {
      return await this.#turn.queue(async () => {
        this.#next = undefined;
        signal.throwIfAborted();
        return this.#compare(signal);
      });
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
      return this.run();
    } finally {
      this.#running.delete(interruption);
    }
  }
}
