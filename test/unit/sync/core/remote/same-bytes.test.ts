import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUnlessSame } from '#sync/core/remote/same-bytes.ts';

async function* inChunks(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  for (const [index, from] of places.entries()) {
    // A stream may hand out memory that it uses again later: what is yielded is a copy of its own here, as fetch does.
    yield bytes.slice(from, places[index + 1] ?? bytes.length);
    await Promise.resolve();
  }
}

describe('reading a stream that is probably the last one again', () => {
  it('answers the bytes of the stream, and the last ones themselves exactly when they are the same', async () => {
    const bytes = fc.uint8Array({ maxLength: 40, max: 2 });
    await fc.assert(
      fc.asyncProperty(bytes, bytes, fc.nat({ max: 40 }), fc.array(fc.nat()), async (last, end, kept, cuts) => {
        const now = Uint8Array.from([...last.slice(0, kept), ...end]);
        const read = await readUnlessSame(inChunks(now, cuts), last);
        expect([...(read ?? [])]).toEqual([...now]);
        expect(read === last).toBe(Buffer.compare(now, last) === 0);
      }),
      { numRuns: 2000 },
    );
  });

  it('has nothing to compare with at first', async () => {
    const now = Uint8Array.of(1, 2, 3);
    expect(await readUnlessSame(inChunks(now, [1]), undefined)).toEqual(now);
    expect(await readUnlessSame(inChunks(new Uint8Array(), []), undefined)).toEqual(new Uint8Array());
  });
});
