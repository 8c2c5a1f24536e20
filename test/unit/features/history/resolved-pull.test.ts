import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derived } from '#base/derived.ts';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { BranchFiles } from '#features/folders/branch-files.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { pullBranch } from '#features/history/git-workflow.ts';
import { type ResolvedTarget, ResolvedPulls } from '#features/history/resolved-pull.ts';
import { type Desk, openDesk } from '#support/features.ts';
import { MemoryState } from '#support/memory-state.ts';
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
    await expect(cutOff.pull(location, { parent: 'main', paths: [file] })).rejects.toThrow('The disk is full.');
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
    expect((await scene.open().pull(location, { parent: 'main', paths: [file] })).ok).toBe(true);
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
    const first = await scene.open().pull(location, { parent: 'main', paths: [file] });
    expect(first).toMatchObject({ ok: false, error: { paths: [expect.stringContaining(other)] } });
    expect(await scene.remote()).toBe('cubes: [] # mine\n');
    expect((await scene.open().pull(location, { parent: 'main', paths: [file, other] })).ok).toBe(true);
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
    await expect(scene.open().pull(location, { parent: 'main', paths: [file] })).rejects.toThrow(
      'could not be reached',
    );
    platform.control.faults([]);
    await write(scene, { [file]: 'cubes: [] # a third\n' });
    expect(await scene.open().recover(location)).toEqual([file]);
    expect(await scene.remote()).toBe('cubes: [] # a third\n');
    const next = scene.open();
    expect(await next.recover(location)).toEqual([file]);
    await next.insist(location);
    expect(await scene.remote()).toBe('cubes: [] # mine\n');
    expect(await scene.open().recover(location)).toEqual([]);
  });

  it('leaves what is under way alone, and other folders', async () => {
    const scene = await developing();
    const { location, platform } = scene;
    await write(scene, { [file]: 'cubes: [] # mine\n' });
    await platform.control.colleagueCommit(1, 'main', { [file]: 'cubes: [] # theirs\n' });
    const pulls = scene.open();
    const pulling = pulls.pull(location, { parent: 'main', paths: [file] });
    expect(await pulls.recover(location)).toEqual([]);
    expect(await scene.open().recover({ ...location, folderId: 'file:///work/other' })).toEqual([]);
    expect((await pulling).ok).toBe(true);
    expect(await scene.remote()).toBe('cubes: [] # mine\n');
  });
});

/** A dev branch and its parent on a platform that answers so many requests and then no more: the window has ended. */
class EndingPlatform {
  readonly dev = new Map<string, string>();
  readonly parent = new Map<string, string>();
  isPulled = false;
  /** Whether every pull found nothing to ask about. */
  isAlike = true;
  #left = Infinity;
  #late = false;

  /** `late`: the last request still has its effect, and its answer is lost. */
  endAfter({ steps, late }: End): void {
    this.#left = steps;
    this.#late = late;
  }

  readonly #answers: Readonly<Record<string, (asked: Asked) => unknown>> = {
    listBranches: () => ({ data: [{ name: 'main' }, { name: 'dev-ada-1', parentBranch: 'main' }] }),
    getFileHashes: ({ query }) => ({
      files: Object.fromEntries([...this.#branch(query)].map(([path, content]) => [path, { hash: sha1(content) }])),
    }),
    listDataModelFiles: ({ query }) => ({
      path: '/',
      type: 'directory',
      children: [...this.#branch(query)].map(([path, content]) => ({ path, type: 'file', content })),
    }),
    writeDataModelFiles: ({ body }) => body?.files?.map(({ path, content = '' }) => this.dev.set(path, content)),
    deleteDataModelFiles: ({ body }) => body?.files?.map(({ path }) => this.dev.delete(path)),
    pull: () => {
      this.isAlike &&= [file, other].every((path) => this.dev.get(path) === this.parent.get(path));
      this.isPulled = true;
      return {};
    },
  };

  answer(id: string, asked: Asked): unknown {
    return this.#answers[id]?.(asked) ?? {};
  }

  step<T>(effect: () => T): T {
    this.#left -= 1;
    if (this.#left > 0) return effect();
    if (this.#left === 0 && this.#late) effect();
    throw new Error('the window has ended');
  }

  #branch(query: Asked['query']): ReadonlyMap<string, string> {
    return query?.branchName === 'main' ? this.parent : this.dev;
  }
}

interface End {
  readonly steps: number;
  readonly late: boolean;
}

interface Asked {
  readonly query?: { readonly branchName: string };
  readonly body?: { readonly files?: readonly { readonly path: string; readonly content?: string }[] };
}

describe('a window that ends in the middle of a pull', () => {
  const location = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1', folderId: 'file:///work/shop' };
  const settled = { parent: 'main', paths: [file, other] };
  const version = fc.constantFrom('mine', 'both', undefined);
  const theirs = fc.constantFrom('theirs', 'both', undefined);
  const end = fc.record({ steps: fc.integer({ min: 1, max: 50 }), late: fc.boolean() });

  /** A window that has just been opened. */
  function opened(platform: EndingPlatform, memory: MemoryState): ResolvedPulls {
    const client = {
      call: async (operation: { readonly id: string }, asked: Asked) =>
        platform.step(() => platform.answer(operation.id, asked)),
      open: async (operation: { readonly id: string }, asked: Asked) => {
        const answer = platform.step(() => platform.answer(operation.id, asked));
        return operation.id === 'listDataModelFiles' ? Response.json(answer) : new Response(null, { status: 204 });
      },
    };
    const data = {
      client: () => client,
      of: () => ({ branches: { invalidate: () => undefined, refresh: async () => undefined } }),
    } as never;
    const userState = {
      get: (key: string) => memory.get(key),
      set: async (key: string, value: unknown) => platform.step(() => memory.set(key, value)),
    };
    return new ResolvedPulls({ data, files: new BranchFiles(data, () => 0, memoryTrash().open), userState });
  }

  it('loses nothing at any step, and a second time either: the branch is as before the pull or as after it', async () => {
    const ends = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(version, version, theirs, theirs, end, end, async (one, two, first, second, cut, again) => {
        const [platform, memory] = [new EndingPlatform(), new MemoryState()];
        const keep = (files: Map<string, string>, path: string, text: string | undefined): unknown =>
          text === undefined ? files.delete(path) : files.set(path, text);
        keep(platform.dev, file, one);
        keep(platform.dev, other, two);
        keep(platform.parent, file, first);
        keep(platform.parent, other, second);
        platform.endAfter(cut);
        const outcome = await opened(platform, memory)
          .pull(location, settled)
          .catch(() => undefined);
        platform.endAfter(again);
        await opened(platform, memory)
          .recover(location)
          .catch(() => undefined);
        platform.endAfter({ steps: Infinity, late: false });
        expect(await opened(platform, memory).recover(location)).toEqual([]);
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
