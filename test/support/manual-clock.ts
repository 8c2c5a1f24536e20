import { setImmediate } from 'node:timers/promises';
import { abortReason } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';

/** Time that only moves when told to. `run` moves it on to the next sleeper whenever nothing else can happen. */
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

  /** The clock is set forwards or back, as after a sleep of the machine; nobody who waits is woken earlier or later by it. */
  set(by: number): void {
    this.#now += by;
    this.#sleepers = this.#sleepers.map((sleeper) => Object.assign(sleeper, { at: sleeper.at + by }));
  }

  /** Moves time on, waking everybody who is due in order, and waits until their work has finished. */
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

/** Resolves when promises that can resolve without time have done so. */
export async function settled(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
