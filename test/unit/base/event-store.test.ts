import { describe, expect, it } from 'vitest';
import { DisposableStore, toDisposable } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import { observe, Store } from '#base/store.ts';

describe('Emitter', () => {
  it('notifies every listener until it is disposed', () => {
    const emitter = new Emitter<number>();
    const heard: number[] = [];
    const subscription = emitter.event((value) => heard.push(value));
    emitter.fire(1);
    subscription.dispose();
    emitter.fire(2);
    expect(heard).toEqual([1]);
  });

  it('still calls the other listeners when one throws', () => {
    const errors: unknown[] = [];
    const emitter = new Emitter<number>((error) => errors.push(error));
    const heard: number[] = [];
    emitter.event(() => {
      throw new Error('broken listener');
    });
    emitter.event((value) => heard.push(value));
    emitter.fire(7);
    expect(heard).toEqual([7]);
    expect(errors).toHaveLength(1);
  });

  it('counts one function subscribed twice as two subscriptions', () => {
    const emitter = new Emitter<void>();
    let calls = 0;
    const listener = (): void => void calls++;
    const first = emitter.event(listener);
    emitter.event(listener);
    first.dispose();
    first.dispose();
    emitter.fire();
    expect(calls).toBe(1);
  });
});

describe('Store', () => {
  it('fires only for a value that differs', () => {
    const store = new Store({ a: 1 }, (x, y) => x.a === y.a);
    const seen: number[] = [];
    observe(store, (value) => seen.push(value.a));
    store.set({ a: 1 });
    store.update((value) => ({ a: value.a + 1 }));
    expect(seen).toEqual([1, 2]);
  });
});

describe('DisposableStore', () => {
  it('releases last first, once, and a late arrival at once', () => {
    const order: string[] = [];
    const store = new DisposableStore();
    store.add(toDisposable(() => order.push('first')));
    store.add(toDisposable(() => order.push('second')));
    store.dispose();
    store.dispose();
    store.add(toDisposable(() => order.push('late')));
    expect(order).toEqual(['second', 'first', 'late']);
  });

  it('releases everything although one fails, and says so', () => {
    const store = new DisposableStore();
    let released = false;
    store.add(toDisposable(() => (released = true)));
    store.add({
      dispose: () => {
        throw new Error('stuck');
      },
    });
    expect(() => store.dispose()).toThrow(AggregateError);
    expect(released).toBe(true);
  });
});
