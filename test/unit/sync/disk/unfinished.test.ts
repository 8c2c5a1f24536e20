import { utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Disk } from '#sync/disk/disk.ts';
import { removeUnfinished } from '#sync/disk/unfinished.ts';
import { openDisk } from '#support/sync/disk.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('what a killed process left unfinished in the storage', () => {
  it('goes after a day, but never what another window may still write', async () => {
    const { storage } = await openDisk();
    const ages: Readonly<Record<string, number>> = {
      'base.m1x-0123456789ab.tmp': 2,
      'lock.m1x-0123456789ab.new': 2,
      'lock.m1x-0123456789ab.stale': 2,
      'base.m1x-ba9876543210.tmp': 0,
      // The clock went back since.
      'journal.m1x-0123456789ab.tmp': -1,
      base: 9,
      'history.jsonl': 9,
    };
    const disk = new Disk();
    const before = await disk.calls.names(storage);
    for (const [name, days] of Object.entries(ages)) {
      const file = path.join(storage, name);
      writeFileSync(file, 'x');
      const seconds = (Date.now() - days * DAY_MS) / 1000 - 60;
      utimesSync(file, seconds, seconds);
    }
    await removeUnfinished(disk, [storage, path.join(storage, 'no such folder')], Date.now());
    const left = (await disk.calls.names(storage)).filter((name) => !before.includes(name));
    const kept = ['base', 'base.m1x-ba9876543210.tmp', 'history.jsonl', 'journal.m1x-0123456789ab.tmp'];
    expect(left.toSorted()).toEqual(kept);
  });
});
