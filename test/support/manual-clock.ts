import { setImmediate } from 'node:timers/promises';
import { abortReason } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';

/** A clock that only moves on demand. `run` moves it to the next sleeper whenever nothing else can happen. */
export class ManualClock implements Clock {
  #now: number;
  #sleepers: { at: number; readonly wake: () => void }[] = [];

  constructor(now = 1_700_000_000_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(abortReason(signal));
      };
      const sleeper = {
        at: this.#now + ms,
        wake: () => {
          signal?.removeEventListener('abort', fail);
          resolve();
        },
      };
      if (signal?.aborted) {
        reject(abortReason(signal));
        return;
      }
      signal?.addEventListener('abort', fail, { once: true });
      this.#sleepers.push(sleeper);
    });
  }

  /** Sets the clock forwards or back, as after a sleep of the machine; sleepers wake neither earlier nor later because of it. */
  set(by: number): void {
    this.#now += by;
    this.#sleepers = this.#sleepers.map((sleeper) => Object.assign(sleeper, { at: sleeper.at + by }));
  }

  /** Moves time on, wakes all sleepers that are due, in order, and waits until their work has finished. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settled();
    for (let next = this.#next(until); next; next = this.#next(until)) {
      this.#wake(next);
      await settled();
    }
    this.#now = until;
  }

  /** Runs work to its end; whenever it only waits for time, time moves on. */
  async run<T>(work: Promise<T>): Promise<T> {
    const state = { done: false };
    const finished = work.finally(() => {
      state.done = true;
    });
    finished.catch(() => undefined);
    for (await settled(); !state.done; await settled()) {
      const next = this.#next(Infinity);
      if (next) this.#wake(next);
    }
    return finished;
  }

  #next(until: number): { readonly at: number; readonly wake: () => void } | undefined {
    return this.#sleepers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
  }

  #wake(sleeper: { readonly at: number; readonly wake: () => void }): void {
    this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
    this.#now = Math.max(this.#now, sleeper.at);
    sleeper.wake();
  }
}

/** Resolves once all promises that do not wait for time have resolved. */
export async function settled(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
