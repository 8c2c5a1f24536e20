import { describe, expect, it } from 'vitest';
import { callsOf, failures, judge, operations } from '#support/sync/disk-faults.ts';

/** Calls of one kind do the same thing. `npm run bench -- sync-disks` has more of them fail, in every way with every code. */
const each = { occurrences: 2, ways: 1, codes: 1 };

describe('a call of the disk that fails before or after its effect, alone or with the next one', () => {
  it.each(operations)('leaves a session that works again: $name', async (operation) => {
    const kinds = await callsOf(operation);
    expect(kinds.size).toBeGreaterThan(5);
    const wrong: string[] = [];
    for (const failing of failures(kinds, each)) wrong.push(...(await judge(operation, failing)));
    expect(wrong).toEqual([]);
  });
});
