import { describe, expect, it } from 'vitest';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { commitStep } from '#features/history/commit.ts';
import type { GatedStepPorts } from '#features/history/gated-step.ts';
import { GitAttempts } from '#features/history/git-attempt.ts';
import { MessageDrafts } from '#features/history/message-drafts.ts';
import { differencesOf } from '#features/platform/gated-branch.ts';
import { openDesk } from '#support/features.ts';
import { MemoryState } from '#support/memory-state.ts';
import { openSyncDesk } from '#support/sync-desk.ts';

const [pushed, saved] = ['model/cubes/pushed.yml', 'model/cubes/saved.yml'] as const;

describe('a commit to production', () => {
  it('waits for a save that is being uploaded, and asks again with its file', async () => {
    const upload = { isHeld: false, hasBegun: Promise.withResolvers<void>(), mayEnd: Promise.withResolvers<void>() };
    const sent: string[] = [];
    const desk = await openSyncDesk(
      await openDesk({
        through: async (request, send) => {
          const { pathname } = new URL(request.url);
          if (request.method === 'PUT' && pathname.endsWith('/data-model/files') && upload.isHeld) {
            upload.hasBegun.resolve();
            await upload.mayEnd.promise;
            sent.push('save');
          }
          if (pathname.endsWith('/commit')) sent.push('commit');
          return send(request);
        },
      }),
    );
    const dev = await startDevMode(desk, { accountId: desk.account.id, deploymentId: '1', branchName: 'main' });
    await desk.syncs.reconcile();
    const { sync } = desk.only();
    await sync.pull(await sync.plan(), 'all');
    for (const path of [pushed, saved]) {
      const body = { branchName: dev.branchName, files: [{ path, content: 'cubes: []\n' }] };
      await desk.client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
    }
    await sync.pull(await sync.plan(), 'all');
    upload.isHeld = true;
    desk.write(saved, 'cubes: [] # mine\n');
    sync.onSaved([saved]);
    await upload.hasBegun.promise;

    const shown: (string | undefined)[] = [];
    const ports: GatedStepPorts = {
      data: desk.data,
      builds: { follow: async () => Promise.resolve() },
      attempts: new GitAttempts(new MemoryState()),
      syncs: desk.syncs,
      drafts: new MessageDrafts(),
      gate: {
        isProtected: () => false,
        confirm: async () => Promise.reject(new Error('It is confirmed on its page.')),
        confirmStep: async (_target, question) => {
          const { content } = question.situation;
          shown.push(differencesOf(content).find(({ path }) => path === saved)?.after);
          return Promise.resolve({ question, input: { message: 'Why', options: [], typed: '' } });
        },
        say: () => undefined,
      },
      dialogs: { askUnsent: async () => Promise.resolve('without'), push: async () => Promise.resolve() },
      run: async (_target, _step, work) => (await work()).ok,
    };
    const step = commitStep(ports, dev, { typed: 'Why', to: 'main' });
    await expect.poll(() => shown.length).toBe(1);
    const isHeld = (): boolean => sync.status.value.paused.includes('ownPull');
    await expect.poll(() => isHeld() || sent.includes('commit')).toBe(true);
    upload.mayEnd.resolve();
    expect(await step).toBe(true);
    expect(sent).toEqual(['save', 'commit']);
    expect(new Set(shown).size).toBe(2);
    expect(sync.status.value.paused).toEqual([]);
  });
});
