import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Emitter } from '#base/event.ts';
import { Store } from '#base/store.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { observedHistory } from '#features/folders/observed-history.ts';
import { StoredVersionsOfFolders, type VersionsChange } from '#features/folders/stored-versions.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { openSyncDesk } from '#support/sync-desk.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import { type HistoryAction, type HistoryRun, lastToUndo } from '#sync/core/undo/history.ts';

/** A folder whose history and trash a test changes. */
function folder(folderId: string, changed: Emitter<VersionsChange>) {
  const runs: HistoryRun[] = [];
  const trash: string[] = [];
  const history = observedHistory(
    { list: async () => Promise.resolve([...runs]), append: async (run) => void runs.push(run) },
    (action) => changed.fire({ folderId, action }),
  );
  const sync = {
    trashed: async () => Promise.resolve([...trash]),
    maintenance: { history: async () => history.list() },
  } as unknown as FolderSync;
  const record = async (action: HistoryAction, undoes?: string): Promise<void> =>
    history.append({ id: `${runs.length}`, action, applied: [{ path: 'a.yml' }], undoes } as unknown as HistoryRun);
  return {
    session: { folder: { folderId }, sync } as unknown as SyncSession,
    runs,
    truth: () => ({
      push: lastToUndo(runs, 'push') !== undefined,
      pull: lastToUndo(runs, 'pull') !== undefined,
      history: runs.length > 0,
      trash: trash.length > 0,
    }),
    act: async (step: Step): Promise<void> => {
      if (step === 'copy') {
        trash.push('a.yml');
        changed.fire({ folderId, action: 'copy' });
      } else if (step === 'undoPush' || step === 'undoPull') {
        const run = lastToUndo(runs, step === 'undoPush' ? 'push' : 'pull');
        if (run) await record('undo', run.id);
      } else {
        if (step === 'pull') trash.push('a.yml');
        await record(step);
      }
    },
  };
}

type Step = 'push' | 'pull' | 'save' | 'copy' | 'undoPush' | 'undoPull';
const step = fc.constantFrom<Step>('push', 'pull', 'save', 'copy', 'undoPush', 'undoPull');

describe('the stored versions of linked folders', () => {
  it('are known of each folder after any steps, also of those that were opened in between', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(1), step, fc.boolean())), fc.nat(8), async (steps, openedAt) => {
        const changed = new Emitter<VersionsChange>();
        const folders = [folder('a', changed), folder('b', changed)] as const;
        const sessions = new Store<readonly SyncSession[]>([folders[0].session]);
        const stored = new StoredVersionsOfFolders(sessions, changed.event);
        for (const [index, [which, what, waits]] of steps.entries()) {
          if (index === openedAt) sessions.set(folders.map(({ session }) => session));
          await folders[which === 0 ? 0 : 1].act(what);
          if (waits) await stored.settled();
        }
        sessions.set(folders.map(({ session }) => session));
        await stored.settled();
        for (const { session, truth } of folders) expect(stored.of(session.sync)).toEqual(truth());
        stored.dispose();
      }),
    );
  });

  it('are offered where they cannot be read, because the command then says why', async () => {
    const changed = new Emitter<VersionsChange>();
    const { session } = folder('a', changed);
    const broken = { ...session, sync: { ...session.sync, trashed: () => Promise.reject(new Error('No access')) } };
    const stored = new StoredVersionsOfFolders(new Store([broken as SyncSession]), changed.event);
    await stored.settled();
    expect(stored.of(broken.sync as FolderSync)).toEqual({ push: true, pull: true, history: true, trash: true });
  });

  it('are none of a folder that is not open any more', async () => {
    const changed = new Emitter<VersionsChange>();
    const { session, act } = folder('a', changed);
    const sessions = new Store<readonly SyncSession[]>([session]);
    const stored = new StoredVersionsOfFolders(sessions, changed.event);
    await act('push');
    sessions.set([]);
    await stored.settled();
    expect(stored.of(session.sync).push).toBe(false);
  });

  it('agree with what a real folder has on its disk', async () => {
    const desk = await openSyncDesk();
    const changed = new Emitter<VersionsChange>();
    const stored = new StoredVersionsOfFolders(desk.syncs.all, changed.event);
    const location = { accountId: desk.account.id, deploymentId: '1', branchName: 'main' };
    await startDevMode(desk, location);
    await desk.syncs.reconcile();
    await stored.settled();
    const { sync, folder: linked } = desk.only();
    expect(stored.of(sync)).toEqual({ push: false, pull: false, history: false, trash: false });
    await sync.pull(await sync.plan(), 'all');
    desk.write('model/cubes/returns.yml', 'cubes: []\n');
    await sync.push(await sync.plan(), new Set(['model/cubes/returns.yml']));
    changed.fire({ folderId: linked.folderId, action: 'push' });
    await stored.settled();
    expect(stored.of(sync)).toMatchObject({ push: true, pull: true, history: true });
    await sync.maintenance.undoLast('push');
    changed.fire({ folderId: linked.folderId, action: 'undo' });
    await stored.settled();
    expect(stored.of(sync)).toMatchObject({ push: false, pull: true, history: true });
  });
});
