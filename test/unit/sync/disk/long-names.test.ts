import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkName } from '#base/file-names.ts';
import { Disk, fileProblem } from '#sync/disk/disk.ts';
import { ModelFolder } from '#sync/disk/model-folder.ts';
import { SetAside } from '#sync/disk/set-aside.ts';
import { TrashStore } from '#sync/disk/trash-store.ts';
import { bytes, hashOf, openDisk } from '#support/sync/disk.ts';

/** A name of exactly 255 bytes, the most that a file system takes. */
const filled = (letter: string): string => {
  const room = 255 - '.yml'.length;
  const size = Buffer.byteLength(letter);
  return `${letter.repeat(Math.floor(room / size))}${'x'.repeat(room % size)}.yml`;
};
const deep = (length: number): string => {
  const folders = Array.from(
    { length: Math.floor((length - 'model/a.yml'.length) / 10) },
    (_, at) => `folder-${at % 10}x`,
  );
  return ['model', ...folders, 'a.yml'].join('/');
};

describe('a name as long as the disk allows', () => {
  it.each([
    ['plain letters', `model/${filled('a')}`],
    ['emoji', `model/${filled('😀')}`],
    ['letters that are longer in the other case', `model/${filled('Ⱥ')}`],
    ['letters that are longer in the other case, in a folder', `model/${filled('Ⱥ')}/a.yml`],
    ['letters that are longer in the other Unicode form', `model/${filled('ΐ')}`],
    ['deep folders', deep(300)],
    ['folders of 1,000 bytes', deep(1000)],
  ])('survives being created, read, replaced, renamed, deleted and kept: %s', async (_, file) => {
    expect(checkName(file)).toBeUndefined();
    const disk = await openDisk();
    const { files } = disk;
    const put = async (text: string, expected?: string) =>
      files.replace(await files.stage(file, bytes(text), hashOf(text)), expected, 'pull');
    expect(await put('one')).toMatchObject({ kind: 'done' });
    expect(await put('two', hashOf('one'))).toMatchObject({ kind: 'done' });
    expect((await disk.list()).files.get(file)).toMatchObject({ hash: hashOf('two') });
    const other = `${path.posix.dirname(file)}/other.yml`;
    expect(await files.rename(file, other, hashOf('two'))).toMatchObject({ kind: 'done' });
    expect(await files.rename(other, file, hashOf('two'))).toMatchObject({ kind: 'done' });
    expect(await files.remove(file, hashOf('two'), 'pull')).toMatchObject({ kind: 'done' });
    expect([...(await disk.list()).files.keys()]).toEqual([]);
    const kept = await Promise.all((await disk.trash.list()).map(({ id }) => disk.trash.read(id)));
    expect(kept.map(String)).toEqual(expect.arrayContaining(['one', 'two']));
  });

  it('counts as too long where the disk refuses it, not as in the way', () => {
    const error = Object.assign(new Error('ENAMETOOLONG: name too long'), { code: 'ENAMETOOLONG' });
    expect(fileProblem('model/a.yml', error).message).toMatch(/too long for this disk/);
  });

  it('gets shorter where something is shown beside it', async () => {
    const { root, storage } = await openDisk();
    const disk = new Disk();
    const trash = new TrashStore(disk, path.join(storage, 'trash'), 'model');
    const aside = new SetAside(disk, new ModelFolder(disk, root, 'model'), trash);
    const name = filled('😀');
    const id = await trash.announce(`model/${name}`, { cause: 'pull', deleted: false });
    // A crash left a folder of the user under a hidden name, and its place is taken since.
    const hidden = path.join(root, `.modelbench-${id}.old`);
    mkdirSync(hidden);
    writeFileSync(path.join(hidden, 'mine.yml'), 'mine');
    writeFileSync(path.join(root, name), 'newer');
    await aside.recover([hidden]);
    const [shown = ''] = readdirSync(root).filter((each) => each.endsWith('-recovered'));
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(255);
    expect(readdirSync(path.join(root, shown))).toEqual(['mine.yml']);
  });
});
