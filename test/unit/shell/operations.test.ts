import { describe, expect, it } from 'vitest';
import { Operations } from '#shell/operations.ts';

describe('operations', () => {
  it.each([
    [true, '“Pulling” is still running. Wait for it, or cancel it, and try again.'],
    [false, '“Pulling” is still running. Wait for it and try again.'],
  ])('run one at a time for each key; the first can be cancelled: %s', async (cancellable, refusal) => {
    const operations = new Operations(async (_label, _cancellable, work) =>
      work({ signal: new AbortController().signal, report: () => undefined }),
    );
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = operations.run({ label: 'Pulling', key: 'a', cancellable, run: async () => promise });
    const other = async (key: string): Promise<string> =>
      operations.run({ label: 'Other', key, run: async () => Promise.resolve(key) });
    await expect(other('a')).rejects.toThrow(refusal);
    expect(await other('b')).toBe('b');
    resolve('done');
    expect(await first).toBe('done');
    expect(await other('a')).toBe('a');
  });
});
