import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readQuiet, readStable } from '#sync/disk/read-file.ts';
import type { DiskCalls } from '#sync/disk/disk-calls.ts';
import { SimulatedDisk } from '#support/sync/simulated-disk.ts';

const FILE = '/home/a.yml';
const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');

/** What another program does to the file while it is read. */
type Change =
  | { readonly kind: 'write'; readonly size: number; readonly letter: string }
  | { readonly kind: 'grow'; readonly by: number }
  | { readonly kind: 'empty' | 'remove' | 'replace' | 'folder' };

const MEGA = 1024 * 1024;
/** Around the size of the buffer, which decides how a file is read. */
const size = fc.oneof(
  { weight: 3, arbitrary: fc.nat(20) },
  { weight: 1, arbitrary: fc.integer({ min: MEGA - 1, max: MEGA + 1 }) },
);
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), size, letter: fc.constantFrom('x', 'y') }),
  fc.record({ kind: fc.constant('grow' as const), by: fc.constantFrom(1, MEGA) }),
  fc.record({ kind: fc.constantFrom('empty', 'remove', 'replace', 'folder') }),
);

/** A file of which every version is known, and what happens to it right before some calls of the disk. */
function changing(
  first: number,
  changes: ReadonlyMap<number, Change>,
): { readonly calls: DiskCalls; readonly versions: ReadonlySet<string>; readonly count: () => number } {
  const disk = new SimulatedDisk({ name: 'a disk' });
  disk.write(FILE, Buffer.alloc(first, 'a'));
  disk.pass(60_000);
  const versions = new Set<string>();
  const note = (): void => {
    const there = disk.files('/home').get(FILE);
    if (there) versions.add(sha1(there));
  };
  note();
  let count = 0;
  const happen = (now: Change): void => {
    const there = disk.files('/home').get(FILE);
    if (now.kind === 'write') disk.write(FILE, Buffer.alloc(now.size, now.letter));
    else if (now.kind === 'empty') disk.write(FILE, Buffer.alloc(0));
    else if (now.kind === 'grow')
      disk.write(FILE, Buffer.concat([there ?? Buffer.alloc(0), Buffer.alloc(now.by, 'g')]));
    else if (there) disk.rename(FILE, `/home/away-${count}`);
    if (now.kind === 'replace') disk.write(FILE, Buffer.from('another file'));
    if (now.kind === 'folder') disk.write(`${FILE}/inside`, Buffer.from('inside'));
    note();
  };
  const calls = disk.calls((_call, _isWrite, effect) => {
    count += 1;
    const now = changes.get(count);
    if (now && (now.kind === 'remove' || !disk.has(`${FILE}/inside`))) happen(now);
    return effect();
  });
  return { calls, versions, count: () => count };
}

/** What reading gave, or the error that it may end with because the file is none any more. */
function outcomeOf<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (/ENOENT|EISDIR/.test(String(error))) return undefined;
    throw error;
  }
}

describe('a file that changes while it is read', () => {
  const changes = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 14 }), change), { maxLength: 5 })
    .map((all) => new Map(all));

  it('gives one of its versions or none, whatever it becomes: longer, shorter, empty, a folder', () => {
    fc.assert(
      fc.property(size, changes, (first, all) => {
        const { calls, versions } = changing(first, all);
        const read = outcomeOf(() => readStable(calls, FILE, true));
        const isWhole = read === undefined || sha1(read.bytes ?? Buffer.alloc(0)) === read.hash;
        expect(isWhole && (read === undefined || versions.has(read.hash))).toBe(true);
      }),
      { numRuns: 80 },
    );
  });

  it('gives only one of its versions in the quick way', () => {
    fc.assert(
      fc.property(size, changes, (first, all) => {
        const { calls, versions } = changing(first, all);
        const read = outcomeOf(() => readQuiet(calls, FILE, BigInt(calls.now()) * 1_000_000n));
        expect(read === undefined || versions.has(read.hash)).toBe(true);
      }),
      { numRuns: 80 },
    );
  });

  it.each([3, 2 * MEGA])('ends the attempt after three readings, also while it grows: %i bytes', (first) => {
    const all = new Map(Array.from({ length: 100 }, (_, at) => [at + 1, { kind: 'grow', by: 1 } as const]));
    const { calls, count } = changing(first, all);
    expect(readStable(calls, FILE, true)).toBeUndefined();
    expect(count()).toBeLessThan(25);
  });
});
