import { lineOfAsyncModule } from './thrown-line.ts';
import { noteThrown } from './thrown.ts';

/** The files that the engine works on, the innermost last. */
let running: unknown;

/** Returns the file whose script is running. */
export function fileRunning(): string | undefined {
  return fileNameOf(running);
}

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
      running = before;
    };
    this.#store = store;
    running = store;
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
        const fileName = fileNameOf(store);
        if (fileName !== undefined) noteThrown(error, { fileName }, () => lineOfAsyncModule(fileName));
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
