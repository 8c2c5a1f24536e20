/** Yields copies of a file that are cut at a byte, or have one wrong bit in it; for every `step`-th byte, by default for each. */
export function* damagesOf(bytes: Uint8Array, step = 1): Generator<Uint8Array> {
  // A slice of a buffer would share its bytes.
  const whole = Uint8Array.from(bytes);
  for (let at = 0; at < whole.length; at += step) {
    yield whole.slice(0, at);
    for (const bit of [0, 5]) {
      const broken = whole.slice();
      broken[at] = (broken[at] ?? 0) ^ (1 << bit);
      yield broken;
    }
  }
}
