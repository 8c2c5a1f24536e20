import { describe, expect, it } from 'vitest';
import { interruptible } from '#base/interruptible.ts';

async function collect<T>(items: AsyncIterable<T>, into: T[]): Promise<void> {
  for await (const item of items) into.push(item);
}

/** Gives its items, then hangs whatever its reader does; notes when it was let go. */
function hanging<T>(items: readonly T[]): { readonly source: AsyncIterable<T>; readonly isReturned: () => boolean } {
  let isReturned = false;
  let at = 0;
  const iterator: AsyncIterator<T> = {
    next: async () => {
      const value = items[at++];
      return value === undefined ? new Promise(() => undefined) : { done: false, value };
    },
    return: async () => {
      isReturned = true;
      return new Promise(() => undefined);
    },
  };
  return { source: { [Symbol.asyncIterator]: () => iterator }, isReturned: () => isReturned };
}

describe('interruptible', () => {
  it('gives the items of its source, to the end', async () => {
    const seen: number[] = [];
    const source = (async function* () {
      yield* [1, 2, 3];
    })();
    await collect(interruptible(source, new AbortController().signal), seen);
    expect(seen).toEqual([1, 2, 3]);
  });

  it('throws the reason of its signal although the source hangs, and releases the source without waiting', async () => {
    const { source, isReturned } = hanging([1, 2]);
    const ended = new AbortController();
    const reason = new Error('over');
    const seen: number[] = [];
    const reading = (async () => {
      for await (const item of interruptible(source, ended.signal)) {
        seen.push(item);
        if (item === 2) ended.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect(seen).toEqual([1, 2]);
    expect(isReturned()).toBe(true);
  });

  it('gives nothing of a source that hangs when its signal has ended before', async () => {
    const { source } = hanging<number>([]);
    const seen: number[] = [];
    const reason = new Error('over');
    await expect(collect(interruptible(source, AbortSignal.abort(reason)), seen)).rejects.toBe(reason);
    expect(seen).toEqual([]);
  });
});
