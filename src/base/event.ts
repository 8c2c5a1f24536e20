import { signal, untracked } from '@preact/signals-core';
import { type Disposable, toDisposable } from './disposable.ts';

/** A subscription point: call it with a listener, dispose the returned object to stop listening. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** The owner's side of an event. A listener that throws does not keep the others from being called. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();
  readonly #onError: (error: unknown) => void;
  /** How many times this emitter has fired. */
  readonly #fired = signal(0);

  constructor(onError: (error: unknown) => void = reportLater) {
    this.#onError = onError;
  }

  readonly event: Event<T> = (listener) => {
    // A wrapper per subscription, so that one function can subscribe twice.
    const own = (value: T): void => listener(value);
    this.#listeners.add(own);
    return toDisposable(() => this.#listeners.delete(own));
  };

  /**
   * Call this in a getter of the state that this emitter reports, so that derived stores which read it recompute when it fires.
   */
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

/** Rethrows a listener's error as an uncaught one instead of swallowing it. */
function reportLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
