import { CancelledError, isCancelled } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { Stopwatch } from '#base/stopwatch.ts';
import type { Disposable } from '#base/disposable.ts';
import { IdleError } from './problem.ts';

/** Silence after which the user is notified, and after which the connection is given up (undici gives up at 300 s). */
const QUIET_MS = 30_000;
const IDLE_MS = 240_000;
/** How long a connection may stay open after the end of the turn was reported; token counts come last. */
const TAIL_MS = 2_000;

/** Watches one connection for silence and finally gives it up. Its `signal` ends the request. */
export class Watchdog implements Disposable {
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  readonly #stopWatching = new AbortController();
  readonly #outer: AbortSignal;
  readonly #onQuiet: (quiet: boolean) => void;
  readonly #silence: Stopwatch;
  #expiring = false;

  constructor(clock: Clock, outer: AbortSignal, onQuiet: (quiet: boolean) => void) {
    this.#clock = clock;
    this.#outer = outer;
    this.#onQuiet = onQuiet;
    this.#silence = new Stopwatch(clock);
    void this.#watch();
  }

  get signal(): AbortSignal {
    return AbortSignal.any([this.#outer, this.#controller.signal]);
  }

  /** Restarts the measurement of silence, because data arrived. */
  touch(): void {
    this.#silence.restart();
  }

  /** Gives the connection a moment for its last lines after the turn has ended. */
  expire(): void {
    if (this.#expiring) return;
    this.#expiring = true;
    this.#clock.sleep(TAIL_MS, this.#stopWatching.signal).then(
      () => this.#controller.abort(new IdleError()),
      () => undefined,
    );
  }

  /** Returns why the connection broke: our own timeout, or the thrown error. */
  reasonOf(error: unknown): unknown {
    return this.#controller.signal.aborted ? this.#controller.signal.reason : error;
  }

  dispose(): void {
    this.#stopWatching.abort(new CancelledError());
    this.#controller.abort(new CancelledError());
  }

  async #watch(): Promise<void> {
    try {
      for (let silence = 0; silence < IDLE_MS; silence = this.#silence.elapsed) {
        if (silence >= QUIET_MS) this.#onQuiet(true);
        await this.#clock.sleep((silence < QUIET_MS ? QUIET_MS : IDLE_MS) - silence, this.#stopWatching.signal);
      }
      this.#controller.abort(new IdleError());
    } catch (error) {
      if (!isCancelled(error)) throw error;
    }
  }
}
