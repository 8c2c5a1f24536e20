import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branchRelation, ForkPoints, relationText } from '#features/platform/branch-relation.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { pullBranch } from '#features/history/git-workflow.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { type Desk, openDesk } from '#support/features.ts';
import { MemoryState } from '#support/memory-state.ts';
import { branchAt } from '#support/branch-tree.ts';
import { commitBranch } from '#support/confirmed-steps.ts';

const file = 'model/cubes/orders.yml';
const target = { accountId: 'a', deploymentId: '1' };
describe('a branch and its parent', () => {
  it.each([
    ['a', 'a', undefined, 'same'],
    ['a', 'b', undefined, 'differs'],
    ['a', 'b', 'a', 'behind'],
    ['a', 'b', 'b', 'ahead'],
    ['a', 'b', 'c', 'diverged'],
    [undefined, 'b', 'b', undefined],
    ['a', '', 'a', undefined],
  ] as const)('at %s and %s, once at %s: %s', (own, parent, fork, relation) => {
    expect(branchRelation({ lastHash: own }, { lastHash: parent }, fork)).toBe(relation);
  });

  it('have nothing to say where they are the same or one is unknown', () => {
    expect(branchRelation({ lastHash: 'a' }, undefined, undefined)).toBeUndefined();
    expect([relationText('same', 'main'), relationText(undefined, 'main'), relationText('ahead', undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(relationText('behind', 'main')).toBe('behind main');
  });
});

describe('fork points', () => {
  it('are where own branches and their parents were last seen to be the same', async () => {
    const forks = new ForkPoints(new MemoryState());
    const mine = new Set(['dev-ada-1']);
    const seen = async (main: string, dev: string): Promise<string | undefined> => {
      const branches = [branchAt('main', main), branchAt('dev-ada-1', dev, 'main'), branchAt('dev-bob-1', dev, 'main')];
      await forks.note(target, branches, mine);
      return forks.of(target).get('dev-ada-1');
    };
    expect(await seen('a', 'a')).toBe('a');
    expect(await seen('b', 'a')).toBe('a');
    expect(await seen('b', 'c')).toBe('a');
    expect(await seen('c', 'c')).toBe('c');
    expect([...forks.of(target).keys()]).toEqual(['dev-ada-1']);
    await forks.note(target, [branchAt('main', 'c')], mine);
    expect(forks.of(target).size).toBe(0);
  });

  it('never call a branch even that is not, whatever was seen before', async () => {
    const hash = fc.constantFrom('a', 'b', 'c');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(hash, hash), { minLength: 1 }), async (looks) => {
        const forks = new ForkPoints(new MemoryState());
        for (const [main, dev] of looks) {
          await forks.note(
            target,
            [branchAt('main', main), branchAt('dev-ada-1', dev, 'main')],
            new Set(['dev-ada-1']),
          );
        }
        const [main, dev] = looks.at(-1) ?? [];
        const relation = branchRelation({ lastHash: dev }, { lastHash: main }, forks.of(target).get('dev-ada-1'));
        expect(relation === 'same').toBe(main === dev);
      }),
    );
  });

  it('distinguish behind and even on a real platform', async () => {
    const desk = await openDesk();
    const dev = await startDevMode(desk, { accountId: desk.account.id, deploymentId: '1', branchName: 'main' });
    const forks = new ForkPoints(new MemoryState());
    expect(await relationOf(desk, forks, dev)).toBe('same');
    await desk.platform.control.colleagueCommit(1, 'main', { 'model/cubes/new.yml': 'cubes: []\n' });
    expect(await relationOf(desk, forks, dev)).toBe('behind');
    expect((await pullBranch(desk.data, dev)).ok).toBe(true);
    const body = { branchName: dev.branchName, files: [{ path: file, content: 'cubes: [] # mine\n' }] };
    await desk.client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
    expect((await commitBranch(desk.data, dev, 'Mine')).ok).toBe(true);
    expect(await relationOf(desk, forks, dev)).toBe('same');
  });
});

async function relationOf(desk: Desk, forks: ForkPoints, dev: BranchTarget): Promise<string | undefined> {
  const { branches } = desk.data.of(dev);
  await branches.invalidate();
  const list = await branches.get();
  await forks.note(dev, list, desk.session.myBranches(dev));
  const own = list.find(({ name }) => name === dev.branchName);
  const parent = list.find(({ name }) => name === own?.parentBranch);
  return own && branchRelation(own, parent, forks.of(dev).get(dev.branchName));
}
