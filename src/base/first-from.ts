/** Returns the index of the first of `count` ascending offsets that is not before another one; `count` if all are. */
export function firstFrom(count: number, offsetAt: (at: number) => number, offset: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsetAt(middle) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
