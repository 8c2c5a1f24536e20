import { delay } from '#base/async.ts';

/** How long after a request another one is likely, in milliseconds. */
const QUIET_MS = 25;
/** The longest time that background work waits, in milliseconds. */
const MAX_WAIT_MS = 250;

/** Counts the requests in progress. Background work gives way to them, because no user waits for it. */
export class Activity {
  readonly #now: () => number;
  #requests = 0;
  #lastAt = -Infinity;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Runs one request and counts it as in progress meanwhile. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#requests++;
    try {
      return await work();
    } finally {
      this.#requests--;
      this.#lastAt = this.#now();
    }
  }

  /** Resolves when no request has arrived for a moment, or when background work has waited long enough. */
  async calm(): Promise<void> {
    const until = this.#now() + MAX_WAIT_MS;
    while (this.#isBusy() && this.#now() < until) await delay(5);
  }

  #isBusy(): boolean {
    return this.#requests > 0 || this.#now() - this.#lastAt < QUIET_MS;
  }
}
