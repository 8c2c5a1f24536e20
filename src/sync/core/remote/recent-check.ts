import type { Clock } from '#base/clock.ts';

type Check = (signal: AbortSignal | undefined) => Promise<void>;

/** A check that costs a request: one that has passed counts for some time. */
export class RecentCheck {
  readonly #check: Check;
  readonly #clock: Pick<Clock, 'now'>;
  #passed: number | undefined;

  constructor(check: Check, clock: Pick<Clock, 'now'>) {
    this.#check = check;
    this.#clock = clock;
  }

  /** Throws what the check throws, unless it has passed within the last `age` milliseconds. */
  async require(age: number, signal: AbortSignal | undefined): Promise<void> {
    const now = this.#clock.now();
    // A clock that was set back must not make a check count for longer.
    if (this.#passed !== undefined && Math.abs(now - this.#passed) <= age) return;
    this.#passed = undefined;
    await this.#check(signal);
    this.#passed = now;
  }

  /** Checks beside other work, so that the next `require` need not wait. Never rejects: that one reports why it did not pass. */
  async renew(age: number, signal: AbortSignal | undefined): Promise<void> {
    await this.require(age, signal).catch(() => undefined);
  }
}
