import { noteThrower } from './vm.ts';

/**
 * The engine stores the current file in an `AsyncLocalStorage`. Its asynchronous steps run one after the other, so a plain
 * variable that is restored when the promise ends does the same. Work that a model leaves running sees the last file.
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
    if (result instanceof Promise) {
      const noted = result.catch((error: unknown) => {
        noteThrower(error, fileNameOf(store));
        throw error;
      });
      return noted.finally(restore) as R;
    }
    restore();
    return result;
  }
}

/** Returns the name of the file that the engine stored. */
function fileNameOf(store: unknown): string | undefined {
  const name = typeof store === 'object' && store !== null && 'fileName' in store ? store.fileName : undefined;
  return typeof name === 'string' ? name : undefined;
}
