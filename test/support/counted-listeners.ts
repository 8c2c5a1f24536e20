import { toDisposable } from '#base/disposable.ts';
import type { Event } from '#base/event.ts';

/** An event that counts those who listen to it now. */
export interface CountedEvent<T> {
  readonly event: Event<T>;
  readonly listeners: () => number;
}

/** Counts the listeners of an event that subscribe through the result. */
export function countedListeners<T>(event: Event<T>): CountedEvent<T> {
  let count = 0;
  return {
    event: (listener) => {
      const subscription = event(listener);
      count += 1;
      return toDisposable(() => {
        subscription.dispose();
        count -= 1;
      });
    },
    listeners: () => count,
  };
}
