import { describe, expect, it } from 'vitest';
import { callsOf, failures, judge, operations } from '#support/sync/disk-faults.ts';

/** Calls of one kind do the same thing. `npm run bench -- sync-disks` has more of them fail, with every code each. */
const OCCURRENCES = 2;
const CODES_EACH = 1;

describe('a call of the disk that fails once', () => {
  it.each(operations)('leaves a session that works again: $name', { timeout: 240_000 }, async (operation) => {
    const kinds = await callsOf(operation);
    expect(kinds.size).toBeGreaterThan(5);
    const wrong: string[] = [];
    for (const failing of failures(kinds, OCCURRENCES, CODES_EACH)) wrong.push(...(await judge(operation, failing)));
    expect(wrong).toEqual([]);
  });
});
