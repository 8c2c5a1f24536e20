import type { Clock } from '#base/clock.ts';
import { runUntil } from '#sync/core/remote/repeat.ts';

/** How often a window that may only read checks whether it can write, in ms. */
const PAUSE_MS = 2000;

/** The writer's lock while another window holds it: this one takes it soon after the other has ended (docs/sync.md#lock-awaited). */
export class AwaitedLock {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #takesLock: () => Promise<boolean>;
  readonly #onTaken: () => Promise<unknown>;
  #isWaiting = false;

  /** `takesLock` resolves to whether this window has the lock now; the signal ends the waiting. */
  constructor(clock: Clock, signal: AbortSignal, takesLock: () => Promise<boolean>, onTaken: () => Promise<unknown>) {
    this.#clock = clock;
    this.#signal = signal;
    this.#takesLock = takesLock;
    this.#onTaken = onTaken;
  }

  /** Begins to wait, unless it does already. */
  wait(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const take = async (): Promise<boolean> => {
      if (!(await this.#takesLock().catch(() => false))) return false;
      this.#isWaiting = false;
      await this.#onTaken().catch(() => undefined);
      return true;
    };
    runUntil(this.#clock, () => PAUSE_MS, this.#signal, take);
  }
}
