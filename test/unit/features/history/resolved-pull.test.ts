import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derived } from '#base/derived.ts';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { BranchFiles } from '#features/folders/branch-files.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { pullBranch } from '#features/history/git-workflow.ts';
import { type ResolvedFiles, type ResolvedTarget, ResolvedPulls } from '#features/history/resolved-pull.ts';
import { type Desk, openDesk } from '#support/features.ts';
import { MemoryState } from '#support/memory-state.ts';
import { EndingPlatform } from '#support/ending-platform.ts';
import { sha1 } from '#support/sync/tiny-platform.ts';
import { memoryTrash } from '#support/memory-trash.ts';
import { commitBranch } from '#support/confirmed-steps.ts';

const file = 'model/cubes/orders.yml';
const other = 'model/cubes/customers.yml';

interface Scene extends Desk {
  readonly location: ResolvedTarget;
  readonly userState: MemoryState;
  /** What a window that was just opened knows: nothing but what was written down. */
  readonly open: () => ResolvedPulls;
  readonly remote: (path?: string) => Promise<string | undefined>;
}

async function developing(): Promise<Scene> {
  const desk = await openDesk();
  const main = { accountId: desk.account.id, deploymentId: '1', branchName: 'main' };
  const dev = await startDevMode(desk, main);
  const userState = new MemoryState();
  return {
    ...desk,
    userState,
    location: { ...dev, folderId: 'file:///work/shop' },
    open: () =>
      new ResolvedPulls({ data: desk.data, files: new BranchFiles(desk.data, () => 0, memoryTrash().open), userState }),
    remote: async (path = file) => desk.platform.control.readFile(1, dev.branchName, path),
  };
}

async function write({ client, location }: Scene, files: Readonly<Record<string, string>>): Promise<void> {
  const body = {
    branchName: location.branchName,
    files: Object.entries(files).map(([path, content]) => ({ path, content })),
  };
  await client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
}

/** What a user has resolved against the versions that the parent has now. */
async function settled({ platform }: Scene, ...paths: readonly string[]): Promise<ResolvedFiles> {
  const against = new Map<string, string>();
  for (const path of paths) against.set(path, hashOf(await platform.control.readFile(1, 'main', path)));
  return { parent: 'main', against };
}

function hashOf(text: string | undefined): string {
  return text === undefined ? '' : sha1(text);
}

describe('resolved files that are not back on the branch', () => {
  it('are reported until they are, whatever else was shown about them', async () => {
    const scene = await developing();
    const { location } = scene;
    const pulls = scene.open();
    const shown: number[] = [];
    derived(() => shown.push(pulls.waiting(location).length));
    await write(scene, { [file]: 'cubes: [] # mine\n' });
    // The branch's version is lent, and then nothing can be written any more.
    let writes = 0;
    const failing = new BranchFiles(
      scene.data,
      () => 0,
      async (target) => {
        writes += 1;
        if (writes > 1) throw new Error('The disk is full.');
        return memoryTrash().open(target);
      },
    );
    const cutOff = new ResolvedPulls({ data: scene.data, files: failing, userState: scene.userState });
    await expect(cutOff.pull(location, await settled(scene, file))).rejects.toThrow('The disk is full.');
    expect(cutOff.waiting(location)).toEqual([file]);
    // Another window of the same machine knows it, too.
    expect(pulls.waiting(location)).toEqual([file]);
    const before = shown.length;
    expect(await pulls.recover(location)).toEqual([]);
    expect(shown.slice(before).at(-1)).toBe(0);
    expect(pulls.waiting(location)).toEqual([]);
    expect(await scene.remote()).toBe('cubes: [] # mine\n');
  });
});

describe('a pull of what a user has resolved', () => {
  it('makes both histories one, and the resolved text stays', async () => {
    const scene = await developing();
    const { data, location, platform } = scene;
    await write(scene, { [file]: 'cubes: [] # mine\n' });
    await platform.control.colleagueCommit(1, 'main', {
      [file]: 'cubes: [] # theirs\n',
      'model/cubes/new.yml': 'cubes: []\n',
    });
    expect((await pullBranch(data, location)).ok).toBe(false);
    await write(scene, { [file]: 'cubes: [] # both\n' });
    expect((await scene.open().pull(location, await settled(scene, file))).ok).toBe(true);
    expect(await scene.remote()).toBe('cubes: [] # both\n');
    expect(await scene.remote('model/cubes/new.yml')).toBe('cubes: []\n');
    expect(scene.userState.values.size).toBe(0);
    expect((await commitBranch(data, location, 'Both')).ok).toBe(true);
    expect(await platform.control.readFile(1, 'main', file)).toBe('cubes: [] # both\n');
  });

  it('puts a resolved file back where the pull meets another conflict, also one that the parent deleted', async () => {
    const scene = await developing();
    const { location, platform } = scene;
    await write(scene, { [file]: 'cubes: [] # mine\n', [other]: 'cubes: [] # mine\n' });
    await platform.control.colleagueCommit(1, 'main', { [file]: null, [other]: 'cubes: [] # theirs\n' });
    const first = await scene.open().pull(location, await settled(scene, file));
    expect(first).toMatchObject({ ok: false, error: { paths: [expect.stringContaining(other)] } });
    expect(await scene.remote()).toBe('cubes: [] # mine\n');
    expect((await scene.open().pull(location, await settled(scene, file, other))).ok).toBe(true);
    expect([await scene.remote(file), await scene.remote(other)]).toEqual(['cubes: [] # mine\n', 'cubes: [] # mine\n']);
  });

  it('asks about a file that someone else changed while it was away: nothing of either is lost', async () => {
    const scene = await developing();
    const { location, platform } = scene;
    await write(scene, { [file]: 'cubes: [] # mine\n' });
    await platform.control.colleagueCommit(1, 'main', { [file]: 'cubes: [] # theirs\n' });
    platform.control.faults([
      { kind: 'reset', path: '/pull$' },
      { kind: 'reset', method: 'PUT', skip: 1 },
    ]);
    await expect(scene.open().pull(location, await settled(scene, file))).rejects.toThrow('could not be reached');
    platform.control.faults([]);
    await write(scene, { [file]: 'cubes: [] # a third\n' });
    const moved = await scene.open().recover(location);
    expect(moved.map(({ path }) => path)).toEqual([file]);
    expect(await scene.remote()).toBe('cubes: [] # a third\n');
    const next = scene.open();
    expect(await next.recover(location)).toEqual(moved);
    expect(await next.insist(location, moved)).toEqual([]);
    expect(await scene.remote()).toBe('cubes: [] # mine\n');
    expect(await scene.open().recover(location)).toEqual([]);
  });

  it('leaves what is under way alone, and other folders', async () => {
    const scene = await developing();
    const { location, platform } = scene;
    await write(scene, { [file]: 'cubes: [] # mine\n' });
    await platform.control.colleagueCommit(1, 'main', { [file]: 'cubes: [] # theirs\n' });
    const pulls = scene.open();
    const pulling = pulls.pull(location, await settled(scene, file));
    expect(await pulls.recover(location)).toEqual([]);
    expect(await scene.open().recover({ ...location, folderId: 'file:///work/other' })).toEqual([]);
    expect((await pulling).ok).toBe(true);
    expect(await scene.remote()).toBe('cubes: [] # mine\n');
  });
});

describe('a window that ends in the middle of a pull', () => {
  const location = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1', folderId: 'file:///work/shop' };
  const version = fc.constantFrom('mine', 'both', undefined);
  const theirs = fc.constantFrom('theirs', 'both', undefined);
  const end = fc.record({ steps: fc.integer({ min: 1, max: 50 }), late: fc.boolean() });

  it('loses nothing at any step, and a second time either: the branch is as before the pull or as after it', async () => {
    const ends = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(version, version, theirs, theirs, end, end, async (one, two, first, second, cut, again) => {
        const [platform, memory] = [new EndingPlatform([file, other]), new MemoryState()];
        const keep = (files: Map<string, string>, path: string, text: string | undefined): unknown =>
          text === undefined ? files.delete(path) : files.set(path, text);
        keep(platform.dev, file, one);
        keep(platform.dev, other, two);
        keep(platform.parent, file, first);
        keep(platform.parent, other, second);
        const hashes = [file, other].map((path) => [path, hashOf(platform.parent.get(path))] as const);
        const against = new Map(hashes);
        platform.endAfter(cut);
        const outcome = await platform
          .open(memory)
          .pull(location, { parent: 'main', against })
          .catch(() => undefined);
        platform.endAfter(again);
        await platform
          .open(memory)
          .recover(location)
          .catch(() => undefined);
        platform.endAfter({ steps: Infinity, late: false });
        expect(await platform.open(memory).recover(location)).toEqual([]);
        expect([platform.dev.get(file), platform.dev.get(other)]).toEqual([one, two]);
        expect(memory.values.size).toBe(0);
        expect(platform.isAlike).toBe(true);
        const name = outcome ? 'whole' : platform.isPulled ? 'ended after the pull' : 'ended before the pull';
        ends.set(name, (ends.get(name) ?? 0) + 1);
      }),
      { numRuns: 3000, seed: 5 },
    );
    expect([...ends.keys()].sort()).toEqual(['ended after the pull', 'ended before the pull', 'whole']);
    expect(Math.min(...ends.values())).toBeGreaterThan(100);
  });
});
