import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { realFolder } from '#sync/disk/real-path.ts';
import { openProject } from '#support/sync/open-project.ts';
import { newFolder } from '#support/sync/test-disk.ts';
import { TinyPlatform } from '#support/sync/tiny-platform.ts';

const A = 'model/a.yml';
const B = 'model/b.yml';

function folderBelow(below?: string): string {
  const folder = newFolder('project-place-', below);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  mkdirSync(path.join(folder, 'model'));
  return folder;
}

/** Disks other than that of the storage: `npm test` has its temporary folder in memory if it can. */
const otherDisks = ['/dev/shm', '/run/shm', '/var/tmp'].filter(
  (disk) => existsSync(disk) && statSync(disk).dev !== statSync(newFolder('project-disk-')).dev,
);
if (otherDisks.length === 0) console.log('not tried between two disks: this machine has one');

describe('a project', () => {
  it.each(otherDisks)(
    'on %s, another disk than the versions, is pulled; what is replaced and deleted stays in the trash',
    async (disk) => {
      const folder = folderBelow(disk);
      const platform = new TinyPlatform({ [A]: 'one', [B]: 'kept' }, { honours: true });
      const storage = folderBelow();
      const sync = await openProject({ folder, modelPath: 'model', platform, storage });
      expect(await sync.pull(await sync.plan(), 'all')).toMatchObject({ status: 'done', failed: [] });
      platform.files.set(A, 'two');
      platform.files.delete(B);
      const plan = await sync.plan();
      const confirmed = plan.guards.map(({ kind }) => kind);
      expect(await sync.pull(plan, 'all', { confirmed })).toMatchObject({ status: 'done', failed: [] });
      expect([readFileSync(path.join(folder, A), 'utf8'), existsSync(path.join(folder, B))]).toEqual(['two', false]);
      expect((await sync.trashed()).map(({ path: at }) => at).toSorted()).toEqual([A, B]);
    },
  );

  it('that vanishes while it is open changes nothing on either side, and continues when it is back', async () => {
    const folder = folderBelow();
    const platform = new TinyPlatform({ [A]: 'one', [B]: 'two' }, { honours: true });
    const sync = await openProject({ folder, modelPath: 'model', platform });
    await sync.pull(await sync.plan(), 'all');
    const away = `${folder}-away`;
    renameSync(folder, away);
    onTestFinished(() => rmSync(away, { recursive: true, force: true, maxRetries: 3 }));
    const gone = await sync.plan();
    expect(gone.guards.map(({ message }) => message).join()).toMatch(/folder/);
    const pushed = await sync.push(gone, 'all', { confirmed: gone.guards.map(({ kind }) => kind) });
    expect([pushed.status, existsSync(folder), platform.files.size]).toEqual(['refused', false, 2]);
    // Something else appears there: an empty disk that is mounted in its place.
    mkdirSync(path.join(folder, 'model'), { recursive: true });
    const empty = await sync.plan();
    expect(empty.guards.some(({ blocks }) => blocks !== 'pull')).toBe(true);
    rmSync(folder, { recursive: true });
    renameSync(away, folder);
    writeFileSync(path.join(folder, A), 'edited');
    const back = await sync.plan();
    expect(await sync.push(back, 'all')).toMatchObject({ status: 'done' });
    expect(platform.files.get(A)).toBe('edited');
  });
});

describe('the path of a folder', () => {
  it('is the same through a link, and its own where it does not exist', () => {
    const folder = folderBelow();
    const link = path.join(folderBelow(), 'größe #1');
    symlinkSync(folder, link);
    const both = [link, path.join(link, 'model', '..'), folder].map(realFolder);
    expect(new Set(both).size).toBe(1);
    expect(realFolder(path.join(folder, 'nowhere'))).toBe(path.join(folder, 'nowhere'));
  });
});
