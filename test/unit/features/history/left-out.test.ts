import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { commitStep } from '#features/history/commit.ts';
import type { GatedStepPorts, RunStep } from '#features/history/gated-step.ts';
import { GitAttempts } from '#features/history/git-attempt.ts';
import { withoutUnsent } from '#features/history/left-out.ts';
import { MessageDrafts } from '#features/history/message-drafts.ts';
import { openSyncDesk } from '#support/sync-desk.ts';
import { MemoryState } from '#support/memory-state.ts';

const [sent, kept, later] = ['model/cubes/sent.yml', 'model/cubes/kept.yml', 'model/cubes/later.yml'] as const;
const mine = 'cubes: [] # mine\n';

type Answer = 'push' | 'without' | 'dismissed';

/** A dev branch of a shared branch with something to commit, and a local file that is not on the platform; questions are counted. */
async function scene(answer: Answer = 'without') {
  const desk = await openSyncDesk();
  const parent = { accountId: desk.account.id, deploymentId: '1', branchName: 'returns-model' };
  const dev = await startDevMode(desk, parent);
  await desk.syncs.reconcile();
  const { sync } = desk.only();
  await sync.pull(await sync.plan(), 'all');
  const body = { branchName: dev.branchName, files: [{ path: sent, content: 'cubes: []\n' }] };
  await desk.client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
  await sync.pull(await sync.plan(), 'all');
  const save = async (path: string, text: string): Promise<void> => {
    desk.write(path, text);
    await sync.plan();
  };
  await save(kept, mine);
  const attempts = new GitAttempts(new MemoryState());
  const asked: number[] = [];
  const run: RunStep = async (target, { step, from = '', typed, leftOut }, work) => {
    const outcome = await work();
    if (outcome.ok) await attempts.end(target);
    else await attempts.stopped(target, outcome.error, { step, from, typed, leftOut });
    return outcome.ok;
  };
  const ports: GatedStepPorts = {
    data: desk.data,
    builds: { follow: async () => Promise.resolve() },
    attempts,
    syncs: desk.syncs,
    drafts: new MessageDrafts(),
    gate: {
      isProtected: () => false,
      confirm: async () => Promise.resolve(true),
      confirmStep: async () => Promise.reject(new Error('Nothing reaches production here.')),
      say: () => undefined,
    },
    dialogs: {
      askUnsent: async (count) => {
        asked.push(count);
        return Promise.resolve(answer === 'dismissed' ? undefined : answer);
      },
      push: async () => Promise.resolve(),
    },
    run,
  };
  return { ...desk, folderId: desk.only().folder.folderId, dev, parent, attempts, asked, ports, save };
}

/** A commit that was refused because the parent has moved, with one local file left out of it. */
async function refused() {
  const own = await scene();
  await own.platform.control.colleagueCommit(1, own.parent.branchName, { 'model/cubes/theirs.yml': 'cubes: []\n' });
  expect(await commitStep(own.ports, own.dev, { typed: 'Mine', to: 'returns-model' })).toBe(false);
  expect(own.asked).toEqual([1]);
  const agreed = own.attempts.of(own.dev)?.leftOut;
  return { ...own, agreed };
}

describe('local files that are left out of a step', () => {
  it('are remembered with the step that stopped, by version', async () => {
    const { agreed, folderId } = await refused();
    expect(agreed).toEqual([{ folderId, path: kept, hash: createHash('sha1').update(mine).digest('hex') }]);
  });

  it('are not asked about again when the step continues', async () => {
    const { agreed, asked, attempts, dev, ports } = await refused();
    await commitStep(ports, dev, { typed: 'Mine', to: 'returns-model', leftOut: agreed });
    expect(asked).toEqual([1]);
    expect(attempts.of(dev)?.leftOut).toEqual(agreed);
  });

  it.each([
    ['another one was saved since', later],
    ['one was changed since', kept],
  ])('are asked about again where %s', async (_, path) => {
    const { agreed, asked, attempts, dev, ports, save } = await refused();
    await save(path, 'cubes: [] # since\n');
    const all = await withoutUnsent(ports, dev, 'Commit', agreed);
    expect(asked).toEqual([1, all?.length]);
    // The rest of the step asks nothing more.
    await withoutUnsent(ports, dev, 'Merge', attempts.of(dev)?.leftOut);
    expect(asked).toHaveLength(2);
  });

  it('are asked about where the step begins again', async () => {
    const { asked, dev, ports } = await refused();
    await commitStep(ports, dev, { typed: 'Mine', to: 'returns-model' });
    expect(asked).toEqual([1, 1]);
  });

  it.each(['push', 'dismissed'] as const)('are not agreed on by the answer %s', async (answer) => {
    const { dev, ports } = await scene(answer);
    expect(await withoutUnsent(ports, dev, 'Commit')).toBeUndefined();
  });
});
