import { type Signal, signal } from '@preact/signals-core';
import type { Disposable } from './disposable.ts';
import { Emitter, type Event } from './event.ts';

/** The read-only view of a store, for everyone except its owner. */
export interface ReadonlyStore<T> {
  readonly value: T;
  readonly onDidChange: Event<T>;
}

/**
 * A value with a change event: the only state primitive. Setting an equal value (`Object.is`, or `equals`) fires nothing. Derived
 * stores that read the value follow it.
 */
export class Store<T> implements ReadonlyStore<T>, Disposable {
  readonly #changed = new Emitter<T>();
  readonly #equals: (a: T, b: T) => boolean;
  readonly #value: Signal<T>;

  constructor(value: T, equals: (a: T, b: T) => boolean = Object.is) {
    this.#value = signal(value);
    this.#equals = equals;
  }

  readonly onDidChange: Event<T> = this.#changed.event;

  get value(): T {
    return this.#value.value;
  }

  set(value: T): void {
    if (this.#equals(this.#value.peek(), value)) return;
    this.#value.value = value;
    this.#changed.fire(value);
  }

  update(change: (value: T) => T): void {
    this.set(change(this.#value.peek()));
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** Calls `listener` with the current value and with each later one. */
export function observe<T>(store: ReadonlyStore<T>, listener: (value: T) => void): Disposable {
  listener(store.value);
  return store.onDidChange(listener);
}
