import { describe, expect, it, onTestFinished } from 'vitest';
import { Emitter } from '#base/event.ts';
import { silentLogger } from '#base/log.ts';
import { Store } from '#base/store.ts';
import * as comparison from '#features/changes/branch-delta.ts';
import { BranchDeltas } from '#features/changes/branch-deltas.ts';
import { commitPlanOf } from '#features/changes/commit-plan.ts';
import { type DeltaWatchDeps, watchDeltas } from '#features/changes/watch-deltas.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import type { Branch } from '#features/platform/branches.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { SyncFacts } from '#sync/core/status/sync-facts.ts';
import { MemoryState } from '#support/memory-state.ts';
import { statusWith } from '#support/sync/status.ts';

const target = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1' };
const branchesAt = (head: string, parentHead: string): readonly Branch[] => [
  { name: 'main', parentBranch: undefined, lastHash: parentHead, staging: false },
  { name: 'dev-ada-1', parentBranch: 'main', lastHash: head, staging: false },
];

/** A window with one linked folder on a dev branch of `main`. */
function scene() {
  const status = new Store(statusWith({}));
  const session = { folder: { folderId: 'f' }, target, sync: { status } } as unknown as SyncSession;
  const branches = new Store<readonly Branch[] | undefined>(undefined);
  const written = new Emitter<BranchTarget>();
  const asked: string[] = [];
  const files: Record<string, string> = { 'dev-ada-1': '2', main: '1' };
  let error: Error | undefined;
  const deltas = new BranchDeltas({
    list: async ({ branchName }) => {
      await Promise.resolve();
      asked.push(branchName);
      if (error) throw error;
      return new Map([['a.yml', { hash: files[branchName] ?? '' }]]);
    },
    comparison: () => Promise.resolve(comparison),
    state: new MemoryState(),
    now: () => 7,
    logger: silentLogger,
  });
  const list = {
    get value() {
      return branches.value;
    },
    state: { value: { error: undefined } },
    start: async () => {
      await Promise.resolve();
      branches.set(branchesAt('c1', 'c1'));
    },
  };
  const data = {
    known: () => ({ branches: list }),
    of: () => ({ branches: list }),
  } as unknown as DeltaWatchDeps['data'];
  const deps = { data, deltas, syncs: { all: new Store([session]) }, onDidWrite: written.event };
  const watch = watchDeltas(deps);
  onTestFinished(() => watch.dispose());
  const plan = () => commitPlanOf(deps, target, String);
  return {
    deltas,
    plan,
    files,
    toCommit: () => plan().commit?.toCommit.map(({ path }) => path),
    know: (facts: Partial<SyncFacts>) => status.set(statusWith(facts)),
    move: (head: string, parentHead: string) => branches.set(branchesAt(head, parentHead)),
    list: (more: Branch) => branches.set([more, ...(branches.value ?? [])]),
    write: () => written.fire(target),
    fail: (thrown: Error | undefined) => (error = thrown),
    /** How often both branches were listed, once nothing is under way. */
    asked: async () => {
      for (let before = -1; before !== asked.length;) {
        before = asked.length;
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      }
      return asked.filter((name) => name === 'main').length;
    },
  };
}

describe('comparisons with the parent', () => {
  it('begin once the branches are listed, and name where a commit goes', async () => {
    const own = scene();
    expect(own.plan()).toEqual({ comparing: { parent: 'its parent branch', error: undefined } });
    expect(await own.asked()).toBe(1);
    expect(own.plan().commit).toMatchObject({ parent: 'main', isProduction: true, isMixed: false, asOf: undefined });
    expect(own.toCommit()).toEqual(['a.yml']);
  });

  it('name production where the list does not show which of several branches it is built from', async () => {
    const own = scene();
    await own.asked();
    own.list({ name: 'legacy', parentBranch: undefined, lastHash: 'c1', staging: false });
    expect(own.plan().commit).toMatchObject({ parent: 'main', isProduction: true });
  });

  it('follow a push, a commit, a write to the branch and a change on the platform, and nothing else', async () => {
    const own = scene();
    await own.asked();
    own.know({ lastChecked: 9 });
    expect(await own.asked()).toBe(1);
    own.know({ lastSynced: 10 });
    expect(await own.asked()).toBe(2);
    own.files['main'] = '2';
    own.move('c2', 'c2');
    expect(await own.asked()).toBe(3);
    expect(own.toCommit()).toEqual([]);
    own.write();
    expect(await own.asked()).toBe(4);
    const remote = {
      kind: 'download',
      path: 'a.yml',
      reason: 'changed',
      hash: 'x',
      size: 1,
      expectedLocal: 'y',
    } as const;
    own.know({ lastSynced: 10, remoteChanges: [remote] });
    expect(await own.asked()).toBe(5);
  });

  it('keep what was known with its time while the platform is away, and catch up after it', async () => {
    const own = scene();
    await own.asked();
    own.fail(new Error('offline'));
    own.know({ lastSynced: 10 });
    await own.asked();
    expect(own.plan().commit).toMatchObject({ asOf: '7' });
    expect(own.toCommit()).toEqual(['a.yml']);
    own.fail(undefined);
    own.know({ lastSynced: 10, lastChecked: 20 });
    await own.asked();
    expect(own.plan().commit).toMatchObject({ asOf: undefined });
  });

  it('say why nothing is known where the first one failed', async () => {
    const own = scene();
    own.fail(new Error('offline'));
    await own.asked();
    expect(own.plan()).toEqual({ comparing: { parent: 'main', error: 'offline' } });
  });
});
