import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Disk } from '#sync/disk/disk.ts';
import { processMachine } from '#sync/disk/process-mark.ts';
import { temporaryName } from '#sync/disk/temporary-name.ts';
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

  it('goes at once if its process has ended, and stays if that runs or cannot be seen from here', async () => {
    const storage = path.join((await openDisk()).storage, 'marked');
    mkdirSync(storage);
    const disk = new Disk();
    // No system gives out numbers as high as this.
    const ended = 999_999_999;
    const machines = {
      ended: { ...processMachine, pid: ended },
      runs: processMachine,
      'on another machine': { ...processMachine, pid: ended, host: 'elsewhere' },
      'in another container': { ...processMachine, pid: ended, space: 'pid:[1]' },
      'of an earlier start': { ...processMachine, pid: ended, bootId: () => 'earlier' },
    };
    const files = Object.entries(machines).map(
      ([what, machine]) => [what, path.basename(temporaryName(path.join(storage, 'base'), machine))] as const,
    );
    for (const [, name] of files) writeFileSync(path.join(storage, name), 'x');
    await removeUnfinished(disk, [storage], Date.now());
    const left = await disk.calls.names(storage);
    const kept = files.filter(([, name]) => left.includes(name)).map(([what]) => what);
    expect(kept).toEqual(['runs', 'on another machine', 'in another container', 'of an earlier start']);
  });
});
