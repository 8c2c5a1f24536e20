import { signal, untracked } from '@preact/signals-core';
import { type Disposable, toDisposable } from './disposable.ts';

/** A subscription point: call it with a listener, dispose the answer to stop listening. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** The owner's side of an event. A listener that throws never keeps the others from hearing. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();
  readonly #onError: (error: unknown) => void;
  /** How often this fired. */
  readonly #fired = signal(0);

  constructor(onError: (error: unknown) => void = reportLater) {
    this.#onError = onError;
  }

  readonly event: Event<T> = (listener) => {
    // A wrapper of its own, so that one function subscribed twice is two subscriptions.
    const own = (value: T): void => listener(value);
    this.#listeners.add(own);
    return toDisposable(() => this.#listeners.delete(own));
  };

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** To be called by what reads state that this reports: a derived store that reads it is then computed again when this fires. */
  track(): void {
    void this.#fired.value;
  }

  fire(value: T): void {
    this.#fired.value = this.#fired.peek() + 1;
    untracked(() => this.#notify(value));
  }

  #notify(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

/** Surfaces a listener's error as an uncaught one instead of swallowing it. */
function reportLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
