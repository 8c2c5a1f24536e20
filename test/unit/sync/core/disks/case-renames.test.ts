import { describe, expect, it } from 'vitest';
import { type LinkedFolder, linkFolder } from '#support/sync/linked-folder.ts';
import { diskKinds } from '#support/sync/disk-kinds.ts';
import { SimulatedDisk } from '#support/sync/simulated-disk.ts';
import { FOLDER, portsOver } from '#support/sync/simulated-ports.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';

const LOWER = 'model/cubes/orders.yml';
const UPPER = 'model/cubes/Orders.yml';

interface Scene {
  readonly linked: LinkedFolder;
  readonly sync: FolderSync;
  readonly disk: SimulatedDisk;
  write(file: string, text: string): void;
  rename(from: string, to: string): void;
  /** Names here and on the platform that belong to orders, with what they hold. */
  orders(): Promise<{ readonly here: Record<string, string>; readonly there: Record<string, string> }>;
}

describe.each(diskKinds)('letter case on $name', (kind) => {
  async function pulled(): Promise<Scene> {
    const disk = new SimulatedDisk(kind);
    disk.makeFolder(FOLDER);
    const calls = disk.calls((_call, _isWrite, effect) => effect());
    const linked = await linkFolder({ ports: (ports) => ({ ...ports, ...portsOver(calls) }) });
    await linked.pullAll();
    const here = (): Record<string, string> =>
      Object.fromEntries(
        [...disk.files(FOLDER)].map(([file, bytes]) => [file.slice(FOLDER.length + 1), bytes.toString()]),
      );
    return {
      linked,
      sync: linked.sync,
      disk,
      write: (file, text) => disk.write(`${FOLDER}/${file}`, Buffer.from(text)),
      rename: (from, to) => disk.rename(`${FOLDER}/${from}`, `${FOLDER}/${to}`),
      orders: async () => {
        const hashes = await linked.platform.control.hashes(1, linked.branch);
        const names = Object.keys(hashes).filter((name) => name.toLowerCase() === LOWER);
        const there = await Promise.all(names.map(async (name) => [name, (await linked.remote(name)) ?? ''] as const));
        const mine = Object.entries(here()).filter(([name]) => name.toLowerCase() === LOWER);
        return { here: Object.fromEntries(mine), there: Object.fromEntries(there) };
      },
    };
  }

  const only = (name: string, text: string) => ({ here: { [name]: text }, there: { [name]: text } });

  it('sends a rename that VS Code reports', async () => {
    const scene = await pulled();
    scene.write(LOWER, '# one\n');
    scene.sync.onSaved([LOWER]);
    await scene.sync.flush();
    scene.rename(LOWER, UPPER);
    scene.sync.onSaved([LOWER, UPPER]);
    await scene.sync.flush();
    expect(await scene.orders()).toEqual(only(UPPER, '# one\n'));
    expect((await scene.sync.plan()).entries).toEqual([]);
  });

  it.each(['', '# edited\n'])('pushes a rename in one go, also with an edit (%j)', async (edit) => {
    const scene = await pulled();
    scene.write(LOWER, '# one\n');
    await scene.sync.push(await scene.sync.plan(), 'all');
    scene.rename(LOWER, UPPER);
    if (edit !== '') scene.write(UPPER, edit);
    const plan = await scene.sync.plan();
    expect(plan.entries).toMatchObject([{ kind: 'renameRemote', from: LOWER, path: UPPER }]);
    expect(await scene.sync.push(plan, 'all')).toMatchObject({ status: 'done' });
    expect(await scene.orders()).toEqual(only(UPPER, edit || '# one\n'));
    expect((await scene.sync.plan()).entries).toEqual([]);
  });

  it.each(['# one\n', '# edited\n'])('pulls a rename that a colleague made, also with an edit (%j)', async (text) => {
    const scene = await pulled();
    scene.write(LOWER, '# one\n');
    await scene.sync.push(await scene.sync.plan(), 'all');
    await scene.linked.colleague({ [LOWER]: null, [UPPER]: text });
    const plan = await scene.sync.plan();
    expect(plan.entries).toMatchObject([{ kind: 'renameLocal', from: LOWER, path: UPPER }]);
    expect(await scene.sync.pull(plan, 'all')).toMatchObject({ status: 'done' });
    expect(await scene.orders()).toEqual(only(UPPER, text));
    expect((await scene.sync.plan()).entries).toEqual([]);
  });

  it('follows the rename of a folder in both directions', async () => {
    const scene = await pulled();
    const count = scene.disk.files(`${FOLDER}/model/cubes`).size;
    scene.rename('model/cubes', 'model/Cubes');
    expect(await scene.sync.push(await scene.sync.plan(), 'all')).toMatchObject({ status: 'done' });
    expect((await scene.sync.plan()).entries).toEqual([]);
    const files = Object.keys(await scene.linked.platform.control.hashes(1, scene.linked.branch));
    const moved = files.filter((file) => file.startsWith('model/Cubes/'));
    expect([moved.length, files.filter((file) => file.startsWith('model/cubes/'))]).toEqual([count, []]);
    const back = await Promise.all(
      moved.map(async (file) => [file.replace('Cubes', 'cubes'), (await scene.linked.remote(file)) ?? ''] as const),
    );
    await scene.linked.colleague({
      ...Object.fromEntries(moved.map((file) => [file, null])),
      ...Object.fromEntries(back),
    });
    const confirmed = ['manyDeletesLocal'] as const;
    expect(await scene.sync.pull(await scene.sync.plan(), 'all', { confirmed })).toMatchObject({ status: 'done' });
    expect((await scene.sync.plan()).entries).toEqual([]);
    expect([...scene.disk.files(FOLDER).keys()].filter((file) => file.includes('/Cubes/'))).toEqual([]);
  });

  it('never makes two names on the platform that differ by letter case only', async () => {
    const scene = await pulled();
    await scene.linked.colleague({ 'model/New.yml': '# theirs\n' });
    scene.write('model/new.yml', '# mine\n');
    scene.sync.onSaved(['model/new.yml']);
    await scene.sync.flush();
    expect(await scene.linked.remote('model/new.yml')).toBeUndefined();
    scene.write('model/late.yml', '# mine\n');
    const plan = await scene.sync.plan();
    await scene.linked.colleague({ 'model/Late.yml': '# theirs\n' });
    expect(await scene.sync.push(plan, new Set(['model/late.yml']))).toMatchObject({ changed: ['model/late.yml'] });
    expect(await scene.linked.remote('model/late.yml')).toBeUndefined();
  });

  it.each(['mine', 'theirs'] as const)('resolves a file here and a folder there: %s', async (choice) => {
    const scene = await pulled();
    scene.write('model/thing', '# file\n');
    await scene.linked.colleague({ 'model/thing/a.yml': '# a\n', 'model/thing/b.yml': '# b\n' });
    const plan = await scene.sync.plan();
    expect(plan.entries.map(({ kind: entry }) => entry)).toEqual(['conflict', 'conflict', 'conflict']);
    expect(await scene.sync.resolve('model/thing/b.yml', choice)).toMatchObject({ status: 'done' });
    expect((await scene.sync.plan()).entries).toEqual([]);
    const here = [...scene.disk.files(FOLDER).keys()].filter((file) => file.includes('/thing'));
    const wanted = choice === 'mine' ? ['model/thing'] : ['model/thing/a.yml', 'model/thing/b.yml'];
    expect(here.map((file) => file.slice(FOLDER.length + 1)).sort()).toEqual(wanted);
  });

  it.each(['mine', 'theirs'] as const)('resolves a folder here and a file there: %s', async (choice) => {
    const scene = await pulled();
    scene.write('model/thing/a.yml', '# a\n');
    await scene.linked.colleague({ 'model/thing': '# file\n' });
    await scene.sync.plan();
    expect(await scene.sync.resolve('model/thing', choice)).toMatchObject({ status: 'done' });
    expect((await scene.sync.plan()).entries).toEqual([]);
    expect(await scene.linked.remote('model/thing')).toBe(choice === 'theirs' ? '# file\n' : undefined);
    const trashed = (await scene.sync.trashed()).map(({ path }) => path);
    expect(trashed).toContain(choice === 'theirs' ? 'model/thing/a.yml' : 'model/thing');
  });
});
