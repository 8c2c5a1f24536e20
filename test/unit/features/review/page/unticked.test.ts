import { describe, expect, it } from 'vitest';
import { nextUnticked, tickSummary } from '#features/review/page/unticked.ts';
import { reviewRow } from '#support/review.ts';

const groups = [
  { id: 'conflict', label: 'Conflicts', rows: [reviewRow('c', { kind: 'conflict', canTick: false })] },
  { id: 'delete', label: 'Delete', rows: [reviewRow('d1', { kind: 'delete' }), reviewRow('d2', { kind: 'delete' })] },
  { id: 'upload', label: 'Upload', rows: [reviewRow('u1'), reviewRow('u2')] },
];
const rows = groups.flatMap((group) => group.rows);

describe('the next row without a tick', () => {
  it.each([
    ['is the first one where the cursor is nowhere', undefined, 'd1'],
    ['comes after the cursor', 'd1', 'd2'],
    ['comes after a heading', 'group upload', 'u2'],
    ['is the first one again after the last', 'u2', 'd1'],
    ['leaves out files that cannot be ticked', 'group conflict', 'd1'],
  ])('%s', (_, current, row) => {
    expect(nextUnticked(groups, new Set(['u1']), current)?.row).toBe(row);
  });

  it('is the row of the cursor if no other one is left', () => {
    expect(nextUnticked(groups, new Set(['d1', 'u1', 'u2']), 'd2')).toEqual({ group: 'delete', row: 'd2' });
  });

  it('is missing where everything is ticked or nothing can be', () => {
    expect(nextUnticked(groups, new Set(['d1', 'd2', 'u1', 'u2']), 'd1')).toBeUndefined();
    expect(nextUnticked(groups.slice(0, 1), new Set(), undefined)).toBeUndefined();
  });
});

describe('the summary of the ticks', () => {
  it.each([
    ['counts the files', ['d1', 'd2', 'u1', 'u2'], '4 of 4 files ticked'],
    ['names a deletion that is left out', ['d1', 'u1', 'u2'], '3 of 4 files ticked, 1 deletion is not'],
    ['names several deletions among other files', ['u1'], '1 of 4 files ticked, 2 deletions are not'],
    ['names no other file', ['d1', 'd2', 'u1'], '3 of 4 files ticked'],
    ['names nothing where nothing is ticked', [], '0 of 4 files ticked'],
  ])('%s', (_, ticked, expected) => {
    expect(tickSummary(rows, new Set(ticked))).toBe(expected);
  });

  it('is empty where nothing can be ticked', () => {
    expect(tickSummary(rows.slice(0, 1), new Set())).toBe('');
  });
});
