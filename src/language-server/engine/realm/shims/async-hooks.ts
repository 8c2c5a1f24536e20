/**
 * The engine keeps the file under way in such a storage. Its asynchronous parts run one after the other, so a plain variable
 * that is put back when the promise ends says the same. What a model left running afterwards finds the last file.
 */
export class AsyncLocalStorage<T> {
  #store: T | undefined;
  #last: T | undefined;

  getStore(): T | undefined {
    return this.#store ?? this.#last;
  }

  run<R>(store: T, callback: () => R): R {
    const before = this.#store;
    const restore = (): void => {
      this.#store = before;
    };
    this.#store = store;
    this.#last = store;
    let result: R;
    try {
      result = callback();
    } catch (error) {
      restore();
      throw error;
    }
    if (result instanceof Promise) return result.finally(restore) as R;
    restore();
    return result;
  }
}
