import { delay } from '#base/async.ts';

/** How long after a request another one is likely, ms. */
const QUIET_MS = 25;
/** How long background work waits at most. */
const PATIENCE_MS = 250;

/** Which requests are being answered. Background work gives way to them, because no user waits for it. */
export class Activity {
  readonly #now: () => number;
  #requests = 0;
  #lastAt = -Infinity;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Runs one request. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#requests++;
    try {
      return await work();
    } finally {
      this.#requests--;
      this.#lastAt = this.#now();
    }
  }

  /** Resolves when no request has been there for a moment, or when background work has waited long enough. */
  async calm(): Promise<void> {
    const until = this.#now() + PATIENCE_MS;
    while (this.#isBusy() && this.#now() < until) await delay(5);
  }

  #isBusy(): boolean {
    return this.#requests > 0 || this.#now() - this.#lastAt < QUIET_MS;
  }
}
