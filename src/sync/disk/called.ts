/** How Node's calls with a callback end. */
export type Done<T> = (error: Error | null, value: T) => void;

/**
 * A promise of what a call with a callback answers. Of thousands of calls to a disk, Node's own promises leave several times
 * as much behind to collect: a handle, a table for time stamps, the stack of an error that is expected.
 */
export function called<T = void>(call: (done: Done<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, value) => {
      if (error) reject(error);
      else resolve(value);
    });
  });
}
