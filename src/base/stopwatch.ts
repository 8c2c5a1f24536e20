import type { Clock } from './clock.ts';

/**
 * Measures elapsed time by a clock that may be set meanwhile. Steps backwards count as zero, so that nothing waits for the hours
 * that a clock was set back.
 */
export class Stopwatch {
  readonly #clock: Pick<Clock, 'now'>;
  #last: number;
  #sum = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#last = clock.now();
  }

  /** Milliseconds since the creation or the last restart. */
  get elapsed(): number {
    const now = this.#clock.now();
    this.#sum += Math.max(0, now - this.#last);
    this.#last = now;
    return this.#sum;
  }

  restart(): void {
    this.#sum = 0;
    this.#last = this.#clock.now();
  }
}
