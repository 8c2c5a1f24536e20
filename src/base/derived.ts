import { effect } from '@preact/signals-core';
import type { Disposable } from './disposable.ts';
import { isEqual } from './equal.ts';
import { type ReadonlyStore, Store } from './store.ts';

/**
 * Creates a store that is computed from others. It follows everything that `compute` reads (a `Store`, or a getter that calls
 * `Emitter.track`): after a change, the value is computed once, in a microtask. It fires only when the result differs.
 */
export function derived<T>(compute: () => T): ReadonlyStore<T> & Disposable {
  let isScheduled = false;
  let isOpen = false;
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      if (isOpen) store.set(follow());
    });
  };
  let stop = (): void => undefined;
  /** Computes the value; the first change of anything that it read schedules the next computation. */
  const follow = (): T => {
    stop();
    let isChange = false;
    let outcome = compute;
    stop = effect(() => {
      if (isChange) {
        schedule();
        return;
      }
      isChange = true;
      outcome = outcomeOf(compute);
    });
    return outcome();
  };
  const store = new Store<T>(follow(), isEqual);
  isOpen = true;
  return {
    get value() {
      return store.value;
    },
    onDidChange: store.onDidChange,
    dispose: () => {
      isOpen = false;
      stop();
      store.dispose();
    },
  };
}

/** Captures what `compute` returns or throws. Either way, everything that it read is followed. */
function outcomeOf<T>(compute: () => T): () => T {
  try {
    const value = compute();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
