// A call takes its arguments from the stack, which has space for about 120,000: `list.push(...more)` and `Math.max(...values)`
// throw a RangeError for a longer list. These functions take lists of any length.

/** Adds items to the end of a list; `more` must be another list. */
export function append<T>(list: T[], more: readonly T[]): void {
  for (const each of more) list.push(each);
}

/** Returns the largest number; -Infinity if there is none. */
export function largest(values: Iterable<number>): number {
  let found = -Infinity;
  for (const value of values) found = Math.max(found, value);
  return found;
}

/** Returns the smallest number; Infinity if there is none. */
export function smallest(values: Iterable<number>): number {
  let found = Infinity;
  for (const value of values) found = Math.min(found, value);
  return found;
}
