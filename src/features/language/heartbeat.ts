import type { Clock } from '#base/clock.ts';
import type { Disposable } from '#base/disposable.ts';

export interface HeartbeatOptions {
  /** Sends the process a request; an error counts as an answer, too. */
  readonly ask: () => Promise<unknown>;
  /** Called once if the process has not answered for `silenceMs`. The heartbeat has ended by then. */
  readonly onSilent: () => void;
  readonly clock: Clock;
}

/** The time between two requests to the process, in milliseconds. */
const everyMs = 5_000;
/** A process that does not answer within this time, in milliseconds, hangs. Time in which this machine slept does not count. */
export const silenceMs = 30_000;

/** Checks at intervals whether a process still answers. This is for a process that hangs; its end is noticed elsewhere. */
export class Heartbeat implements Disposable {
  readonly #options: HeartbeatOptions;
  readonly #ended = new AbortController();

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    // It was aborted: its result is no longer needed.
    this.#run().catch(() => undefined);
  }

  dispose(): void {
    this.#ended.abort();
  }

  async #run(): Promise<void> {
    for (;;) {
      await this.#wait();
      if (!(await this.#answers())) break;
    }
    this.#options.onSilent();
  }

  /**
   * Resolves to whether the process answers in time. Counts waits, not the clock: a laptop that slept for an hour has waited
   * once.
   */
  async #answers(): Promise<boolean> {
    const answer = this.#options.ask().then(
      () => true,
      () => true,
    );
    for (let waited = 0; waited < silenceMs; waited += everyMs) {
      if (await Promise.race([answer, this.#wait()])) return true;
    }
    return false;
  }

  async #wait(): Promise<false> {
    await this.#options.clock.sleep(everyMs, this.#ended.signal);
    return false;
  }
}
