/** The callback of Node's asynchronous calls. */
export type Done<T> = (error: Error | null, value: T) => void;

/**
 * Returns a promise for the result of a call with a callback. Over thousands of calls to a disk, Node's own promises
 * leave several times as much garbage: a handle, a table for time stamps, the stack of an expected error.
 */
export function called<T = void>(call: (done: Done<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, value) => {
      if (error) reject(error);
      else resolve(value);
    });
  });
}
