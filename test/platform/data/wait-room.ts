import type { Clock } from '#base/clock.ts';

type Waited<T> =
  | { readonly done: true; readonly value: T }
  /** Not finished within the window: the same request may be sent again. `elapsed` in milliseconds. */
  | { readonly done: false; readonly elapsed: number };

/**
 * Long work behind short requests ("Continue wait"): the first request starts it, identical ones find it running, and
 * whichever comes after the end takes the result away.
 */
export interface WaitRoom {
  wait<T>(key: string, start: () => Promise<T>): Promise<Waited<T>>;
  /** Resolves when all work has ended, also where its result was not fetched. */
  close(): Promise<void>;
}

interface Work {
  readonly started: number;
  readonly finished: Promise<unknown>;
}

/** @param window milliseconds a request waits before it is told to come again */
export function createWaitRoom(clock: Clock, window: number): WaitRoom {
  const running = new Map<string, Work>();
  const unfinished = new Set<Promise<unknown>>();
  const begin = (start: () => Promise<unknown>): Work => {
    const finished = start();
    unfinished.add(finished);
    // A failure is reported to whoever fetches the result, and must not be an unhandled rejection until then.
    void finished.catch(() => undefined).then(() => unfinished.delete(finished));
    return { started: clock.now(), finished };
  };
  return {
    wait: async <T>(key: string, start: () => Promise<T>): Promise<Waited<T>> => {
      const work = running.get(key) ?? begin(start);
      running.set(key, work);
      // Results that were never fetched make room for newer ones.
      const [oldest] = running.keys();
      if (running.size > maxWaiting && oldest !== undefined) running.delete(oldest);
      const timer = new AbortController();
      const timeout = clock.sleep(window, timer.signal).then(
        () => tooLong,
        () => tooLong,
      );
      try {
        const value = await Promise.race([work.finished, timeout]);
        if (value === tooLong) return { done: false, elapsed: clock.now() - work.started };
        running.delete(key);
        return { done: true, value: value as T };
      } catch (error) {
        running.delete(key);
        throw error;
      } finally {
        timer.abort();
      }
    },
    close: async () => {
      await Promise.allSettled(unfinished);
    },
  };
}

/** How many results may wait to be fetched. */
const maxWaiting = 200;

const tooLong = Symbol('too long');
