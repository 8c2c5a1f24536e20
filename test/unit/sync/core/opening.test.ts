import { describe, expect, it } from 'vitest';
import { type LinkedFolder, pulledFolder } from '#support/sync/linked-folder.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import type { BaseStore, SyncPorts } from '#sync/core/ports.ts';

interface Scene {
  readonly linked: LinkedFolder;
  readonly sync: FolderSync;
  /** A file that both sides changed alike while no window was open. */
  readonly file: string;
  readonly other: string;
  readonly loads: () => number;
  /** The base is read only when this is called. */
  readonly letOpen: () => void;
}

async function reopened(): Promise<Scene> {
  const linked = await pulledFolder();
  const [file = '', other = ''] = linked.files();
  await linked.sync.close();
  linked.write(file, '# same\n');
  await linked.colleague({ [file]: '# same\n' });
  let loads = 0;
  const gate = Promise.withResolvers<void>();
  const held = (base: BaseStore): BaseStore => ({
    load: async () => {
      loads += 1;
      await gate.promise;
      return base.load();
    },
    save: (snapshot) => base.save(snapshot),
  });
  const sync = await linked.open(undefined, (ports: SyncPorts) => ({ ...ports, base: held(ports.base) }));
  return { linked, sync, file, other, loads: () => loads, letOpen: gate.resolve };
}

async function editedThenPushed({ linked, sync, file }: Scene): Promise<unknown> {
  linked.write(file, '# mine now\n');
  const plan = await sync.plan();
  const { kind } = sync.status.value.state;
  const outcome = await sync.push(plan, 'all');
  return {
    state: kind,
    entries: plan.entries.map(({ kind }) => kind),
    status: outcome.status,
    remote: await linked.remote(file),
  };
}

const right = { state: 'changes', entries: ['upload'], status: 'done', remote: '# mine now\n' };

describe('a folder that is being opened', () => {
  it.each<[name: string, first: (scene: Scene) => Promise<unknown>[]]>([
    ['a scan, then a diff', ({ sync, other }) => [sync.plan(), sync.remoteContent(other)]],
    ['a diff, then a scan', ({ sync, other }) => [sync.remoteContent(other), sync.plan()]],
    [
      'a scan and three diffs',
      ({ sync, other }) => [sync.plan(), ...Array.from({ length: 3 }, () => sync.baseContent(other))],
    ],
  ])('opens once, whoever asks: %s', async (_, first) => {
    const scene = await reopened();
    const asked = Promise.all(first(scene));
    scene.letOpen();
    await asked;
    expect(scene.loads()).toBe(1);
    expect(await editedThenPushed(scene)).toEqual(right);
  });

  it('keeps what it learned when a diff is asked for at any moment of the first scan', async () => {
    const scene = await reopened();
    scene.letOpen();
    const scan = scene.sync.plan();
    const diffs: Promise<unknown>[] = [];
    const asking = setInterval(() => diffs.push(scene.sync.baseContent(scene.other)), 0);
    await scan;
    clearInterval(asking);
    await Promise.all(diffs);
    expect(scene.loads()).toBe(1);
    expect(await editedThenPushed(scene)).toEqual(right);
  });

  it('stays closed when a diff asks for it afterwards', async () => {
    const { sync, other, loads, letOpen } = await reopened();
    letOpen();
    await sync.close();
    await expect(sync.baseContent(other)).rejects.toThrow('no longer linked');
    expect(loads()).toBe(0);
  });
});
