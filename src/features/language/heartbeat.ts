import type { Clock } from '#base/clock.ts';
import type { Disposable } from '#base/disposable.ts';

export interface HeartbeatOptions {
  /** Asks the process for any answer; an error is an answer, too. */
  readonly ask: () => Promise<unknown>;
  /** Called once, when the process has not answered for `silenceMs`. The heartbeat has ended by then. */
  readonly onSilent: () => void;
  readonly clock: Clock;
}

/** How often a process is asked, in milliseconds. */
const everyMs = 5_000;
/** A process that gives no answer for this time hangs. Time in which this machine slept does not count. */
export const silenceMs = 30_000;

/**
 * Asks a process again and again whether it still answers. The end of a process is noticed elsewhere; this is for one that
 * hangs.
 */
export class Heartbeat implements Disposable {
  readonly #options: HeartbeatOptions;
  readonly #ended = new AbortController();

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    // Aborted: its result is no longer needed.
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

  /** Counts waits, not the clock: a laptop that slept for an hour has waited once. */
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
