import { effect } from '@preact/signals-core';
import type { Disposable } from './disposable.ts';
import { isEqual } from './equal.ts';
import { type ReadonlyStore, Store } from './store.ts';

/**
 * A store computed from others. Whatever `compute` read (a `Store`, or what calls `Emitter.track`) is followed: when any of
 * it changes, the value is computed once after the present turn. It fires only when the result is a different one.
 */
export function derived<T>(compute: () => T, equals: (a: T, b: T) => boolean = isEqual): ReadonlyStore<T> & Disposable {
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
  /** Computes the value; the first change of what was read on the way schedules the next time. */
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
  const store = new Store<T>(follow(), equals);
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

/** What `compute` gives, or the error that it throws: either way, what it has read is followed. */
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
