import { asError, isCancelled } from '#base/async.ts';
import type { Disposable } from '#base/disposable.ts';
import { isEqual } from '#base/equal.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';

/**
 * The state of a value that is loaded from the platform: the last value stays while a newer one is loading or has failed to load.
 */
export interface Loadable<T> {
  readonly value: T | undefined;
  readonly loading: boolean;
  readonly error: Error | undefined;
}

const notLoaded: Loadable<never> = { value: undefined, loading: false, error: undefined };

/**
 * A value that is fetched, cached and fetched again (stale while revalidate). Callers share one request. A response equal to the
 * last one changes nothing, and a failure keeps the last value next to the error.
 */
export class Resource<T> implements Disposable {
  readonly #load: (signal: AbortSignal) => Promise<T>;
  readonly #state = new Store<Loadable<T>>(notLoaded, isEqual);
  #running: { readonly promise: Promise<void>; readonly controller: AbortController } | undefined;
  #hasStarted = false;
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
   * Loads the value unless that was done or is in progress; resolves when it has ended or failed. Views can call this on every
   * change and redraw: it does not retry after a failure.
   */
  start(): Promise<void> {
    return this.#hasStarted ? (this.#running?.promise ?? Promise.resolve()) : this.refresh();
  }

  /** Loads the value if there is none yet, also after a failure; resolves when there is something to show. Never rejects. */
  ensure(): Promise<void> {
    return this.value === undefined ? this.refresh() : Promise.resolve();
  }

  /** Resolves to the value, loading it if there is none yet. Rejects with the load's error. */
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
    this.#hasStarted = true;
    const controller = new AbortController();
    const promise = this.#run(controller.signal);
    this.#running = { promise, controller };
    return promise;
  }

  /** Discards the running request and reloads, after a change that the request cannot include. */
  invalidate(): Promise<void> {
    this.#running?.controller.abort();
    this.#running = undefined;
    return this.refresh();
  }

  /** Sets the value to one that the user's own write returned. */
  set(value: T): void {
    this.#state.set({ ...this.#state.value, value, error: undefined });
  }

  dispose(): void {
    this.#disposed = true;
    this.#running?.controller.abort();
    this.#running = undefined;
    this.#state.dispose();
  }

  /** Runs a request. A caller that waits for a replaced request waits for the one that replaced it. */
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
