import { appendFileSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileProblem } from '#sync/disk/disk.ts';
import type { TrashItem } from '#sync/core/ports.ts';
import { bytes, type Disk, hashOf, openDisk } from '#support/sync/disk.ts';
import { hasFeature } from '#support/sync/test-disk.ts';
import { hostileNames } from '#support/sync/hostile-names.ts';

async function keptText(disk: Disk, item: TrashItem | undefined): Promise<string> {
  return new TextDecoder().decode(await disk.trash.read(item?.id ?? ''));
}

describe('writing to a folder', () => {
  it('creates, replaces, deletes and renames, and keeps every replaced version', async () => {
    const disk = await openDisk();
    const put = async (text: string, expected: string | undefined): Promise<unknown> =>
      disk.files.replace(await disk.files.stage('model/x/a.yml', bytes(text), hashOf(text)), expected, 'pull');
    expect(await put('one', undefined)).toMatchObject({ kind: 'done' });
    expect(await put('two', hashOf('one'))).toMatchObject({ kind: 'done' });
    expect(await disk.files.rename('model/x/a.yml', 'model/x/A.yml', hashOf('two'))).toMatchObject({ kind: 'done' });
    expect(await disk.files.remove('model/x/A.yml', hashOf('two'), 'resolve')).toMatchObject({ kind: 'done' });
    await disk.files.sync(['model/x/A.yml']);
    expect(readdirSync(disk.root)).toEqual([]);
    const kept = await disk.trash.list();
    const [replaced, deleted] = [...kept].sort((a, b) => Number(a.deleted) - Number(b.deleted));
    expect(replaced).toMatchObject({ path: 'model/x/a.yml', size: 3, cause: 'pull', deleted: false });
    expect(deleted).toMatchObject({ path: 'model/x/A.yml', size: 3, cause: 'resolve', deleted: true });
    expect(await keptText(disk, replaced)).toBe('one');
    expect(await keptText(disk, deleted)).toBe('two');
  });

  it('keeps a copy of a file that something else is about to replace', async () => {
    const disk = await openDisk();
    expect(await disk.files.keepCopy('model/a.yml', 'agentProposal')).toBeUndefined();
    disk.write('model/a.yml', 'mine');
    const id = await disk.files.keepCopy('model/a.yml', 'agentProposal');
    disk.write('model/a.yml', 'theirs');
    const [kept] = await disk.trash.list();
    expect(kept).toMatchObject({ id, path: 'model/a.yml', cause: 'agentProposal', deleted: false });
    expect(await keptText(disk, kept)).toBe('mine');
  });

  it('keeps what an editor holds in the place of a file', async () => {
    const disk = await openDisk();
    disk.write('model/a.yml', 'saved');
    const id = await disk.files.keepCopy('model/a.yml', 'merge', bytes('typed'));
    const [kept] = await disk.trash.list();
    expect(kept).toMatchObject({ id, path: 'model/a.yml', cause: 'merge', deleted: false });
    expect(await keptText(disk, kept)).toBe('typed');
    expect(readFileSync(disk.at('model/a.yml'), 'utf8')).toBe('saved');
  });

  it('writes nothing when the file is not what was expected, and leaves nothing behind', async () => {
    const disk = await openDisk();
    disk.write('model/a.yml', 'person');
    const stage = (): ReturnType<Disk['files']['stage']> =>
      disk.files.stage('model/a.yml', bytes('new'), hashOf('new'));
    expect(await disk.files.replace(await stage(), undefined, 'pull')).toMatchObject({ kind: 'changed' });
    expect(await disk.files.replace(await stage(), hashOf('old'), 'pull')).toMatchObject({ kind: 'changed' });
    expect(await disk.files.remove('model/a.yml', hashOf('old'), 'pull')).toMatchObject({ kind: 'changed' });
    expect(await disk.files.rename('model/a.yml', 'model/b.yml', hashOf('old'))).toMatchObject({ kind: 'changed' });
    disk.write('model/b.yml', 'other');
    expect(await disk.files.rename('model/a.yml', 'model/b.yml', hashOf('person'))).toMatchObject({ kind: 'changed' });
    expect(readdirSync(disk.root).sort()).toEqual(['a.yml', 'b.yml']);
    expect(readFileSync(disk.at('model/a.yml'), 'utf8')).toBe('person');
    expect(await disk.trash.list()).toEqual([]);
  });

  it('keeps out of every hostile path', async () => {
    const disk = await openDisk();
    const outside = path.dirname(disk.root);
    const before = readdirSync(outside).sort();
    const results = await Promise.allSettled(
      hostileNames
        .filter((name) => /(^|\/)\.\.?(\/|$)|^\/|\\|\0|^$/.test(name))
        .map((name) => disk.files.stage(name, bytes('x'), hashOf('x'))),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toEqual([]);
    expect(readdirSync(outside).sort()).toEqual(before);
  });

  it('makes many files durable at once, whether or not they are still there', async () => {
    const disk = await openDisk();
    const files = Array.from({ length: 600 }, (_, at) => `model/f${at % 7}/${at}.yml`);
    for (const file of files) disk.write(file, file);
    await disk.files.sync([...files, 'model/gone.yml', 'model/gone/too.yml']);
    expect((await disk.list()).files.size).toBe(600);
  });

  it('cleans up after a crash: unfinished files go, set-aside ones go back or to the trash', async () => {
    const disk = await openDisk();
    disk.write('model/.modelbench-abc-1.tmp', 'half');
    const note = (id: string, file: string): void => {
      mkdirSync(path.join(disk.storage, 'trash'), { recursive: true });
      writeFileSync(path.join(disk.storage, 'trash', `${id}.json`), JSON.stringify({ path: file, time: 1 }));
    };
    note('one-1', 'model/gone.yml');
    disk.write('model/.modelbench-one-1.old', 'was here');
    note('two-2', 'model/there.yml');
    disk.write('model/.modelbench-two-2.old', 'old version');
    disk.write('model/there.yml', 'new version');
    await disk.files.recover();
    expect(readdirSync(disk.root).sort()).toEqual(['gone.yml', 'there.yml']);
    expect(readFileSync(disk.at('model/gone.yml'), 'utf8')).toBe('was here');
    // A note of an earlier version of the extension does not give the reason.
    const [kept, ...more] = await disk.trash.list();
    expect(kept).toMatchObject({ path: 'model/there.yml', cause: undefined, deleted: false });
    expect([await keptText(disk, kept), more]).toEqual(['old version', []]);
  });

  it('a program that still holds the old file open does not write into the trash', async () => {
    if (!hasFeature('hard links')) return;
    const disk = await openDisk();
    disk.write('model/a.yml', 'one');
    linkSync(disk.at('model/a.yml'), path.join(disk.storage, 'held'));
    await disk.files.replace(await disk.files.stage('model/a.yml', bytes('two'), hashOf('two')), hashOf('one'), 'pull');
    appendFileSync(path.join(disk.storage, 'held'), ' and more');
    const [kept] = await disk.trash.list();
    expect(await keptText(disk, kept)).toBe('one');
  });

  it.each([
    ['ENOSPC', 'full', 'disk is full'],
    ['EACCES', 'denied', 'no permission'],
    ['EROFS', 'denied', 'the disk is read-only'],
    ['EBUSY', 'busy', 'in use'],
    ['ENOTDIR', 'blocked', 'in the way'],
    ['EIO', 'other', 'EIO'],
  ])('says in words what %s means', (code, kind, words) => {
    const problem = fileProblem('model/a.yml', Object.assign(new Error('x'), { code }));
    expect(problem).toMatchObject({ kind });
    expect(problem.message).toContain(words);
  });
});
