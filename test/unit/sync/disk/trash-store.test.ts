import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Disk } from '#sync/disk/disk.ts';
import { type DiskCalls, nodeCalls } from '#sync/disk/disk-calls.ts';
import { TrashStore } from '#sync/disk/trash-store.ts';
import { damagesOf } from '#support/sync/damages.ts';
import { openDisk } from '#support/sync/disk.ts';
import { hasFeature } from '#support/sync/test-disk.ts';

const MB = 1024 * 1024;
const DAY = 24 * 60 * 60 * 1000;
const NOW = 1_800_000_000_000;

/** A trash with these versions, each some days old. */
async function trashWith(versions: readonly (readonly [id: string, file: string, days: number])[]): Promise<{
  readonly trash: TrashStore;
  readonly folder: string;
  readonly left: () => Promise<readonly string[]>;
}> {
  const { storage: folder } = await openDisk();
  for (const [id, file, days] of versions) {
    const note = { path: file, time: NOW - days * DAY, cause: 'pull', deleted: false };
    writeFileSync(path.join(folder, `${id}.json`), JSON.stringify(note));
    writeFileSync(path.join(folder, `${id}.bin`), id);
  }
  const trash = new TrashStore(new Disk(), folder, 'model');
  return { trash, folder, left: async () => (await trash.list()).map(({ id }) => id).sort() };
}

describe('the trash', () => {
  it('keeps versions for 30 days, and the newest of each file for ever', async () => {
    const { trash, folder, left } = await trashWith([
      ['a-new', 'model/a.yml', 29],
      ['a-old', 'model/a.yml', 31],
      ['b-only', 'model/b.yml', 400],
      ['c-newest', 'model/c.yml', 40],
      ['c-older', 'model/c.yml', 41],
    ]);
    await trash.prune(NOW);
    expect(await left()).toEqual(['a-new', 'b-only', 'c-newest']);
    expect(readdirSync(folder).filter((name) => /^(a-old|c-older)/.test(name))).toEqual([]);
  });

  it('keeps one gigabyte, the oldest going first, and the newest of each file whatever it takes', async () => {
    if (!hasFeature('holes')) return;
    const { trash, folder, left } = await trashWith([
      ['a-new', 'model/a.yml', 1],
      ['a-old', 'model/a.yml', 2],
      ['b-new', 'model/b.yml', 3],
      ['a-older', 'model/a.yml', 4],
    ]);
    // Holes take no room on the disk.
    for (const id of ['a-new', 'b-new', 'a-older']) truncateSync(path.join(folder, `${id}.bin`), 600 * MB);
    await trash.prune(NOW);
    expect(await left()).toEqual(['a-new', 'a-old', 'b-new']);
  });

  it('shows a version whose note is damaged or gone under another name, and nothing that has no bytes', async () => {
    const { trash, folder } = await trashWith([['a', 'model/a.yml', 1]]);
    writeFileSync(path.join(folder, 'no-note.bin'), 'x');
    writeFileSync(path.join(folder, 'no-bytes.json'), JSON.stringify({ path: 'model/b.yml', time: 1 }));
    writeFileSync(path.join(folder, 'torn.bin'), 'y');
    writeFileSync(path.join(folder, 'torn.json'), '{"path":"mod');
    const items = (await trash.list()).toSorted((x, y) => (x.id < y.id ? -1 : 1));
    expect(items).toMatchObject([
      { path: 'model/a.yml', time: NOW - DAY, size: 1, cause: 'pull' },
      { path: 'model/recovered-no-note', cause: undefined },
      { path: 'model/recovered-torn', cause: undefined },
    ]);
    expect(await trash.read('torn')).toEqual(Buffer.from('y'));
  });

  it('loses no version to any damage of a note, and none to a note that cannot be read now', async () => {
    const { folder } = await trashWith([['a', 'model/a.yml', 1]]);
    let refuses = false;
    const calls: DiskCalls = {
      ...nodeCalls,
      readFile: (file) => (refuses ? Promise.reject(new Error('EMFILE')) : nodeCalls.readFile(file)),
    };
    const trash = new TrashStore(new Disk(calls), folder, 'model');
    const note = path.join(folder, 'a.json');
    for (const bytes of damagesOf(readFileSync(note), 3)) {
      writeFileSync(note, bytes);
      expect(await trash.list()).toMatchObject([{ id: 'a', size: 1 }]);
    }
    refuses = true;
    await expect(trash.announced('a')).rejects.toThrow('EMFILE');
  });

  it('gives bytes by an id of its own only', async () => {
    const { trash } = await trashWith([['a', 'model/a.yml', 1]]);
    expect(await trash.read('a')).toEqual(Buffer.from('a'));
    expect(await trash.read('../a')).toBeUndefined();
    expect(await trash.read('gone')).toBeUndefined();
  });

  it('is what an error names where its disk is full, whatever is written to it', async () => {
    const { folder } = await trashWith([['a', 'model/a.yml', 1]]);
    const full = async (): Promise<never> =>
      Promise.reject(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));
    // Notes are written, then copies are made.
    const notes = new TrashStore(new Disk({ ...nodeCalls, open: full }), folder, 'model');
    const copies = new TrashStore(new Disk({ ...nodeCalls, copyFile: full }), folder, 'model');
    const why = { cause: 'pull', deleted: false } as const;
    const says = `The trash “${folder}”: the disk is full. Free some space and try again.`;
    await expect(notes.announce('model/b.yml', why)).rejects.toThrow(says);
    await expect(notes.put('model/b.yml', Buffer.from('b'), why)).rejects.toThrow(says);
    await expect(copies.keep(await copies.announce('model/b.yml', why), path.join(folder, 'a.bin'))).rejects.toThrow(
      says,
    );
  });
});
