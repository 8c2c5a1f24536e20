import { type Disposable, DisposableStore } from './disposable.ts';
import type { Event } from './event.ts';
import { isEqual } from './equal.ts';
import { type ReadonlyStore, Store } from './store.ts';

/**
 * A store computed from others: whatever fires, it is computed once after the present turn, and fires itself only when
 * the result is a different one.
 */
export function derived<T>(
  inputs: readonly Event<never>[] | readonly Event<unknown>[],
  compute: () => T,
  equals: (a: T, b: T) => boolean = isEqual,
): ReadonlyStore<T> & Disposable {
  const store = new Store<T>(compute(), equals);
  const owned = new DisposableStore();
  let scheduled = false;
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(() => {
      scheduled = false;
      if (!owned.isDisposed) store.set(compute());
    });
  };
  for (const input of inputs as readonly Event<unknown>[]) owned.add(input(schedule));
  owned.add(store);
  return {
    get value() {
      return store.value;
    },
    onDidChange: store.onDidChange,
    dispose: () => owned.dispose(),
  };
}
