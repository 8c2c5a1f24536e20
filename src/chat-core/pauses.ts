import { CancelledError, isCancelled } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';

/** The pauses between the attempts of a turn, which can be cut short. */
export class Pauses {
  readonly #clock: Clock;
  readonly #over = new AbortController();
  #present = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves after this many milliseconds, or when the pause is cut short. */
  async pause(ms: number): Promise<void> {
    this.#present = new AbortController();
    await sleep(this.#clock, ms, AbortSignal.any([this.#over.signal, this.#present.signal]));
  }

  /** Ends the current pause. */
  cutShort(): void {
    this.#present.abort(new CancelledError());
  }

  /** Ends the current pause and all later ones. */
  end(): void {
    this.#over.abort(new CancelledError());
  }
}

/** Resolves after this many milliseconds, or when the signal aborts. */
export async function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    if (!isCancelled(error)) throw error;
  }
}
