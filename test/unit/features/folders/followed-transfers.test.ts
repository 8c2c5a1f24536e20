import { describe, expect, it } from 'vitest';
import { Emitter } from '#base/event.ts';
import { followTransfers } from '#features/folders/followed-transfers.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import type { BranchTarget } from '#shell/targets.ts';

const target = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada' };

describe('followTransfers', () => {
  it('follows the build once for each transfer of a folder', () => {
    const changed = new Emitter<SyncSession | undefined>();
    const followed: BranchTarget[] = [];
    const status: { lastSynced?: number } = {};
    const session = { target, sync: { status: { value: status } } } as unknown as SyncSession;
    const following = followTransfers({
      builds: { follow: async (branch) => void followed.push(branch) },
      syncs: { onDidChange: changed.event, ofBranch: () => [] },
      remote: { onDidWrite: new Emitter<BranchTarget>().event },
    });
    changed.fire(session);
    status.lastSynced = 1;
    changed.fire(session);
    changed.fire(session);
    changed.fire(undefined);
    expect(followed).toEqual([target]);
    status.lastSynced = 2;
    changed.fire(session);
    following.dispose();
    status.lastSynced = 3;
    changed.fire(session);
    expect(followed).toEqual([target, target]);
  });

  it('compares the folders of a branch that was written to without them, and follows its build', () => {
    const wrote = new Emitter<BranchTarget>();
    const followed: BranchTarget[] = [];
    let plans = 0;
    const sync = { plan: async () => Promise.reject(new Error(`offline ${(plans += 1)}`)) };
    followTransfers({
      builds: { follow: async (branch) => void followed.push(branch) },
      syncs: {
        onDidChange: new Emitter<SyncSession | undefined>().event,
        ofBranch: (branch) => (branch === target ? [{ sync } as unknown as SyncSession] : []),
      },
      remote: { onDidWrite: wrote.event },
    });
    wrote.fire(target);
    expect([followed, plans]).toEqual([[target], 1]);
  });
});
