/** Ways in which one byte of a file may be wrong, and places where its end may be lost; of every byte unless said otherwise. */
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
