import { describe, expect, it } from 'vitest';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { compareTrees, fileDifferenceText } from '#features/folders/branch-compare.ts';
import { BranchFiles } from '#features/folders/branch-files.ts';
import { openDesk } from '#support/features.ts';
import { memoryTrash } from '#support/memory-trash.ts';

describe('branch files', () => {
  it('reads a branch once, notices a move, and keeps the time of what did not move', async () => {
    const { platform, account, data } = await openDesk();
    const main = { accountId: account.id, deploymentId: '1', branchName: 'main' };
    let now = 1000;
    const files = new BranchFiles(data, () => now, memoryTrash().open);
    const before = await files.tree(main);
    const orders = before.get('model/cubes/orders.yml');
    expect(orders?.content).toContain('cubes');
    now = 2000;
    expect(await files.refresh(main)).toEqual([]);
    await platform.control.colleagueCommit(1, 'main', {
      'model/cubes/new.yml': 'cubes: []\n',
      'model/cubes/orders.yml': null,
    });
    expect([...(await files.refresh(main))].sort()).toEqual(['model/cubes/new.yml', 'model/cubes/orders.yml']);
    const after = await files.tree(main);
    expect(after.get('model/cubes/new.yml')?.mtime).toBe(2000);
    expect(after.get('model/cubes/customers.yml')?.mtime).toBe(1000);
    expect(after.has('model/cubes/orders.yml')).toBe(false);
  });

  it('does not keep a failure', async () => {
    const desk = await openDesk();
    const files = new BranchFiles(desk.data, () => 0, memoryTrash().open);
    const nowhere = { accountId: desk.account.id, deploymentId: '1', branchName: 'nowhere' };
    await expect(files.tree(nowhere)).rejects.toThrow(/branch|nowhere|not/i);
    const dev = await startDevMode(desk, { ...nowhere, branchName: 'main' });
    expect((await files.tree(dev)).size).toBeGreaterThan(3);
  });
});

describe('writing to a branch', () => {
  const file = 'model/cubes/orders.yml';

  it('writes, renames and deletes on a dev branch, and the next look has it', async () => {
    const desk = await openDesk();
    const dev = await startDevMode(desk, { accountId: desk.account.id, deploymentId: '1', branchName: 'main' });
    const files = new BranchFiles(desk.data, () => 0, memoryTrash().open);
    await files.write(dev, file, 'cubes: []\n');
    expect((await files.tree(dev)).get(file)?.content).toBe('cubes: []\n');
    await files.write(dev, 'model/new.yml', 'cubes: []\n');
    await files.rename(dev, 'model/new.yml', 'model/newer.yml');
    await files.remove(dev, file);
    const paths = [...(await files.tree(dev)).keys()];
    expect(paths).toContain('model/newer.yml');
    expect(paths).not.toContain('model/new.yml');
    expect(paths).not.toContain(file);
  });

  it('never overwrites what someone else wrote meanwhile', async () => {
    const desk = await openDesk();
    const dev = await startDevMode(desk, { accountId: desk.account.id, deploymentId: '1', branchName: 'main' });
    const mine = new BranchFiles(desk.data, () => 0, memoryTrash().open);
    await mine.tree(dev);
    await new BranchFiles(desk.data, () => 0, memoryTrash().open).write(dev, file, 'cubes: [] # theirs\n');
    await expect(mine.write(dev, file, 'cubes: [] # mine\n')).rejects.toThrow('Someone changed');
    expect(await desk.platform.control.readFile(1, dev.branchName, file)).toBe('cubes: [] # theirs\n');
    await mine.write(dev, file, 'cubes: [] # both\n');
    expect(await desk.platform.control.readFile(1, dev.branchName, file)).toBe('cubes: [] # both\n');
  });

  it.each(['model/con.yml', '.github/x.yml', 'model/%2e%2e/x.yml', 'model/a\u202ey.yml'])(
    'makes no file on the platform that could not be pulled: %j',
    async (path) => {
      const desk = await openDesk();
      const dev = await startDevMode(desk, { accountId: desk.account.id, deploymentId: '1', branchName: 'main' });
      const files = new BranchFiles(desk.data, () => 0, memoryTrash().open);
      await expect(files.write(dev, path, '')).rejects.toThrow('Choose another one');
      await expect(files.rename(dev, file, path)).rejects.toThrow('Choose another one');
      expect((await files.tree(dev)).has(path)).toBe(false);
    },
  );

  it('refuses a branch that is not a dev branch before it asks', async () => {
    const desk = await openDesk();
    const main = { accountId: desk.account.id, deploymentId: '1', branchName: 'main' };
    await expect(new BranchFiles(desk.data, () => 0, memoryTrash().open).write(main, file, '')).rejects.toThrow(
      'not a dev branch',
    );
  });
});

describe('comparing branches', () => {
  const tree = (entries: Readonly<Record<string, string>>): Awaited<ReturnType<BranchFiles['tree']>> =>
    new Map(Object.entries(entries).map(([path, content]) => [path, { path, content, hash: content, mtime: 0 }]));

  it('lists what was added, changed and removed, in order', () => {
    const differences = compareTrees(tree({ a: '1', b: '1', c: '1' }), tree({ a: '1', b: '2', d: '1' }));
    expect(differences).toEqual([
      { path: 'b', change: 'changed' },
      { path: 'c', change: 'removed' },
      { path: 'd', change: 'added' },
    ]);
    expect(fileDifferenceText(differences)).toBe('3 files: 1 added, 1 changed, 1 removed');
  });

  it('has a word for no difference', () => {
    expect(fileDifferenceText(compareTrees(tree({ a: '1' }), tree({ a: '1' })))).toBe('no file differs');
  });
});
