import { asError, isCancelled } from '#base/async.ts';
import type { Disposable } from '#base/disposable.ts';
import { isEqual } from '#base/equal.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';

/** What is known of something that the platform holds: the last value stays while a newer one is on its way or failed. */
export interface Loadable<T> {
  readonly value: T | undefined;
  readonly loading: boolean;
  readonly error: Error | undefined;
}

const notLoaded: Loadable<never> = { value: undefined, loading: false, error: undefined };

/**
 * A value that is fetched, kept and fetched again (stale while revalidate). Callers share one request; an answer equal
 * to the last one changes nothing; a failure keeps the last value beside the error.
 */
export class Resource<T> implements Disposable {
  readonly #load: (signal: AbortSignal) => Promise<T>;
  readonly #state = new Store<Loadable<T>>(notLoaded, isEqual);
  #running: { readonly promise: Promise<void>; readonly controller: AbortController } | undefined;
  #asked = false;
  #disposed = false;

  constructor(load: (signal: AbortSignal) => Promise<T>) {
    this.#load = load;
  }

  get state(): ReadonlyStore<Loadable<T>> {
    return this.#state;
  }

  get value(): T | undefined {
    return this.#state.value.value;
  }

  /**
   * Loads unless it has loaded or is loading, and resolves when that has ended or failed. Safe to call at every change
   * and at every drawing of a view: a failure is not asked for again.
   */
  start(): Promise<void> {
    return this.#asked ? (this.#running?.promise ?? Promise.resolve()) : this.refresh();
  }

  /** Loads when nothing is there yet (also after a failure); resolves when there is something to show. Never rejects. */
  ensure(): Promise<void> {
    return this.value === undefined ? this.refresh() : Promise.resolve();
  }

  /** The value, loaded when it is not there yet. Rejects with the load's error. */
  async get(): Promise<T> {
    await this.ensure();
    const { value, error } = this.#state.value;
    if (value !== undefined) return value;
    throw error ?? new Error('Nothing was loaded.');
  }

  /** Reloads. Never rejects: the error is part of the state. */
  refresh(): Promise<void> {
    if (this.#disposed) return Promise.resolve();
    if (this.#running) return this.#running.promise;
    this.#asked = true;
    const controller = new AbortController();
    const promise = this.#run(controller.signal);
    this.#running = { promise, controller };
    return promise;
  }

  /** Drops what a running request will answer and reloads: after a change that the running request cannot know of. */
  invalidate(): Promise<void> {
    this.#running?.controller.abort();
    this.#running = undefined;
    return this.refresh();
  }

  /** Shows a value that an own write just answered. */
  set(value: T): void {
    this.#state.set({ ...this.#state.value, value, error: undefined });
  }

  dispose(): void {
    this.#disposed = true;
    this.#running?.controller.abort();
    this.#running = undefined;
    this.#state.dispose();
  }

  /** Whoever waits for a request that another one takes the place of, waits for that one. */
  async #run(signal: AbortSignal): Promise<void> {
    this.#state.update((state) => ({ ...state, loading: true }));
    try {
      const value = await this.#load(signal);
      if (signal.aborted) return this.#running?.promise;
      this.#running = undefined;
      this.#state.set({ value, loading: false, error: undefined });
    } catch (thrown) {
      if (signal.aborted) return this.#running?.promise;
      this.#running = undefined;
      const error = isCancelled(thrown) ? undefined : asError(thrown);
      this.#state.update((state) => ({ value: state.value, loading: false, error }));
    }
  }
}
