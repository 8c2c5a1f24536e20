import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { prunableBranches, pruneBranches, type PruneInput } from '#features/branches/prune.ts';
import { openDesk } from '#support/features.ts';
import { deleteBranch } from '#support/confirmed-steps.ts';
import { branchAt } from '#support/branch-tree.ts';

const input: PruneInput = {
  branches: [
    branchAt('main', 'two'),
    branchAt('shared', 'two', 'main'),
    branchAt('dev-active', 'two', 'main'),
    branchAt('dev-window', 'two', 'main'),
    branchAt('dev-work', 'own', 'main'),
    branchAt('dev-same', 'two', 'main'),
    branchAt('dev-behind', 'one', 'main'),
    branchAt('dev-orphan', 'x', 'gone'),
  ],
  active: 'dev-active',
  mine: new Set(['dev-active', 'dev-work', 'dev-behind']),
  forkPoints: new Map([
    ['dev-work', 'one'],
    ['dev-behind', 'one'],
  ]),
  inUse: new Set(['dev-window']),
};

describe('dev branches to prune', () => {
  it('are those that are not in use, without commits of their own first, and say whose they are', () => {
    expect(prunableBranches(input).map(({ name, detail }) => `${name}: ${detail}`)).toEqual([
      'dev-same: no commits of its own · someone else’s · from main',
      'dev-behind: no commits of its own · mine · from main',
      'dev-work: may contain work · mine · from main',
      'dev-orphan: may contain work · someone else’s · from gone',
    ]);
  });

  it('are never called stale where commits cannot be compared', () => {
    const unknown = {
      ...input,
      branches: [branchAt('main', undefined), branchAt('dev-a', 'x', 'main'), branchAt('dev-b', '')],
    };
    expect(prunableBranches(unknown).map(({ isStale }) => isStale)).toEqual([false, false]);
  });

  it('are never a shared, active or used branch', () => {
    const name = fc.constantFrom('main', 'feature/a', 'dev-a', 'dev-b', 'dev-c', 'dev-ü/ñ');
    fc.assert(
      fc.property(fc.uniqueArray(name), fc.option(name), fc.array(name), (names, active, used) => {
        const found = prunableBranches({
          branches: names.map((each) => branchAt(each, 'x', 'main')),
          active: active ?? undefined,
          mine: new Set(),
          forkPoints: new Map(),
          inUse: new Set(used),
        });
        const wanted = names.filter((each) => each.startsWith('dev-') && each !== active && !used.includes(each));
        expect(new Set(found.map((each) => each.name))).toEqual(new Set(wanted));
      }),
    );
  });
});

describe('pruning', () => {
  it('continues after one that the platform refuses, and says which', async () => {
    const desk = await openDesk();
    const target = { accountId: desk.account.id, deploymentId: '1' };
    const started: string[] = [];
    for (const branchName of ['main', 'returns-model', 'pricing-experiments']) {
      started.push((await startDevMode(desk, { ...target, branchName })).branchName);
    }
    desk.platform.control.faults([{ kind: 'status', status: 403, method: 'DELETE', skip: 1, times: 1 }]);
    const [one = '', two = '', three = ''] = started;
    const asked: string[] = [];
    const outcome = await pruneBranches(
      (branch) => deleteBranch(desk, branch),
      target,
      started,
      (name) => asked.push(name),
    );
    expect(asked).toEqual(started);
    expect(outcome).toMatchObject({ deleted: [one, three], failed: [{ name: two }] });
    const left = (await desk.data.of(target).branches.get()).map(({ name }) => name);
    expect([left.includes(one), left.includes(two), left.includes(three)]).toEqual([false, true, false]);
    expect(desk.session.activeBranch(target)).toBeUndefined();
  });
});
