import { beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '#base/log.ts';
import * as comparison from '#features/changes/branch-delta.ts';
import { BranchDeltas, type ComparedBranch } from '#features/changes/branch-deltas.ts';
import { MemoryState } from '#support/memory-state.ts';

const target = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1' };

describe('a dev branch beside its parent', () => {
  let files: Record<string, Record<string, string>>;
  let fails: Error | undefined;
  let state: MemoryState;
  let deltas: BranchDeltas;
  let time: number;
  const window = (): BranchDeltas =>
    new BranchDeltas({
      list: async ({ branchName }) => {
        await Promise.resolve();
        if (fails) throw fails;
        return new Map(Object.entries(files[branchName] ?? {}).map(([path, hash]) => [path, { hash }]));
      },
      comparison: () => Promise.resolve(comparison),
      state,
      now: () => (time += 1),
      logger: silentLogger,
    });
  const compare = async (heads: Partial<ComparedBranch> = {}): Promise<unknown> => {
    await deltas.compare({ target, parent: 'main', head: 'c1', parentHead: 'c1', ...heads });
    const known = deltas.of(target);
    const paths = (list: readonly { path: string; change: string }[] = []): string[] =>
      list.map(({ path, change }) => `${path} ${change}`);
    return { toCommit: paths(known?.delta.toCommit), incoming: paths(known?.delta.incoming) };
  };

  beforeEach(() => {
    files = { main: { a: '1', b: '1', c: '1' }, 'dev-ada-1': { a: '1', b: '1', c: '1' } };
    fails = undefined;
    state = new MemoryState();
    time = 0;
    deltas = window();
  });

  it('has to commit what differs from the parent', async () => {
    files['dev-ada-1'] = { a: '2', c: '1', d: '1' };
    expect(await compare()).toEqual({ toCommit: ['a changed', 'b removed', 'd added'], incoming: [] });
  });

  it('has to pull what a colleague changed on the parent, and nothing of it to commit', async () => {
    files['dev-ada-1'] = { a: '2', b: '1', c: '1' };
    await compare();
    files['main'] = { a: '1', b: '5', e: '1' };
    const expected = { toCommit: ['a changed'], incoming: ['b changed', 'c removed', 'e added'] };
    expect(await compare({ parentHead: 'c2' })).toEqual(expected);
    // A window that is opened later knows the same.
    deltas = window();
    expect(await compare({ parentHead: 'c3' })).toEqual(expected);
    // And a file that is changed after that is the user's.
    files['dev-ada-1'] = { a: '2', b: '1', c: '7' };
    expect(await compare({ parentHead: 'c3' })).toEqual({
      toCommit: ['a changed', 'c added'],
      incoming: ['b changed', 'c removed', 'e added'],
    });
  });

  it('recognises files that are only renamed, also in a window that is offline at first', async () => {
    const renamed = [
      { path: 'b', change: 'removed' },
      { path: 'd', change: 'added', from: 'b' },
    ];
    files = { main: { a: '1', b: '2', c: '3' }, 'dev-ada-1': { a: '1', d: '2', c: '3' } };
    await compare();
    expect(deltas.of(target)?.delta.toCommit).toEqual(renamed);
    deltas = window();
    fails = new Error('offline');
    await compare();
    expect(deltas.of(target)?.delta.toCommit).toEqual(renamed);
  });

  it('takes a copy, and a file that the parent has removed, for no rename', async () => {
    files = { main: { a: '1', b: '2' }, 'dev-ada-1': { a: '1', b: '2', copy: '2' } };
    await compare();
    files['main'] = { a: '1' };
    await compare({ parentHead: 'c2' });
    expect(deltas.of(target)?.delta).toEqual({
      toCommit: [{ path: 'copy', change: 'added' }],
      incoming: [{ path: 'b', change: 'removed' }],
    });
  });

  it('has nothing to pull after the pull, and still its own changes to commit', async () => {
    files['dev-ada-1'] = { a: '2', b: '1', c: '1' };
    await compare();
    files['main'] = { a: '3', b: '5', c: '1' };
    await compare({ parentHead: 'c2' });
    files['dev-ada-1'] = { a: '23', b: '5', c: '1' };
    expect(await compare({ head: 'c2', parentHead: 'c2' })).toEqual({ toCommit: ['a changed'], incoming: [] });
  });

  it('has nothing to commit after the commit, also where the platform gives no commits', async () => {
    const none = { head: undefined, parentHead: undefined };
    files['dev-ada-1'] = { a: '2', b: '1', c: '1' };
    await compare(none);
    files['main'] = { a: '2', b: '1', c: '1' };
    expect(await compare(none)).toEqual({ toCommit: [], incoming: [] });
    files['dev-ada-1'] = { a: '3', b: '1', c: '1' };
    expect(await compare(none)).toEqual({ toCommit: ['a changed'], incoming: [] });
  });

  it('do not know whose changes they are when the parent had moved before anything was compared', async () => {
    files['main'] = { a: '1', b: '5', c: '1' };
    expect(await compare({ parentHead: 'c2' })).toEqual({ toCommit: ['b changed'], incoming: [] });
    expect(deltas.of(target)?.isMixed).toBe(true);
    files['dev-ada-1'] = { ...files['main'] };
    await compare({ head: 'c2', parentHead: 'c2' });
    expect(deltas.of(target)?.isMixed).toBe(false);
  });

  it('keeps what was known while the platform cannot be reached, also in the next window', async () => {
    files['dev-ada-1'] = { a: '2', b: '1', c: '1' };
    await compare();
    fails = new Error('offline');
    const last = { toCommit: ['a changed'], incoming: [] };
    expect(await compare()).toEqual(last);
    deltas = window();
    expect(await compare()).toEqual(last);
    expect([deltas.of(target)?.at, deltas.failure(target)]).toEqual([1, fails]);
    fails = undefined;
    await compare();
    expect([deltas.of(target)?.at, deltas.failure(target)]).toEqual([2, undefined]);
  });

  it('compares again, and only once, for all that was asked while a comparison ran', async () => {
    const first = compare();
    files['dev-ada-1'] = { a: '2', b: '1', c: '1' };
    await Promise.all([first, compare(), compare()]);
    expect(deltas.of(target)).toMatchObject({ at: 2, delta: { toCommit: [{ path: 'a', change: 'changed' }] } });
  });
});
