import { type Clock, systemClock } from '#base/clock.ts';

/**
 * Real time with short pauses, which stands still during requests: the engine chooses how it uploads by how long they take,
 * and no test may depend on how fast the machine is.
 */
export class HurriedClock implements Clock {
  #requests = 0;
  #startedAt = 0;
  #taken = 0;

  now(): number {
    return (this.#requests > 0 ? this.#startedAt : systemClock.now()) - this.#taken;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(Math.min(ms, 20), signal);
  }

  /** Runs a request, which takes no time. */
  async during<T>(request: () => Promise<T>): Promise<T> {
    if (this.#requests === 0) this.#startedAt = systemClock.now();
    this.#requests += 1;
    try {
      return await request();
    } finally {
      this.#requests -= 1;
      if (this.#requests === 0) this.#taken += systemClock.now() - this.#startedAt;
    }
  }
}
