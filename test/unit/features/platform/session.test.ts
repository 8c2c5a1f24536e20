import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '#base/log.ts';
import { Store } from '#base/store.ts';
import type { Account, Accounts } from '#features/accounts/accounts.ts';
import type { LinkedFolder } from '#features/platform/link.ts';
import { Session } from '#features/platform/session.ts';
import { type OpenSync, SyncSessions } from '#features/folders/sync-sessions.ts';
import { memoryAccounts } from '#support/features.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { MemoryState } from '#support/memory-state.ts';
import type { FolderSync, SyncStatus } from '#sync/core/folder-sync.ts';

const url = 'https://acme.example.com';
const linked = (name: string, deploymentId: string, tenantUrl = url): LinkedFolder => ({
  folderId: `file:///${name}`,
  name,
  link: { tenantUrl, deploymentId, modelPath: 'model' },
  problem: undefined,
});

let accounts: Accounts;
let account: Account;
let userState: MemoryState;
let session: Session;

beforeEach(async () => {
  ({ accounts } = memoryAccounts());
  account = await accounts.add(url, 'key');
  userState = new MemoryState();
  session = new Session({ accounts, window: new MemoryState(), userState });
});

const shop = (): { accountId: string; deploymentId: string } => ({ accountId: account.id, deploymentId: '1' });

describe('session', () => {
  it('shows the linked deployment until a user chooses another', async () => {
    expect(session.active.value).toBeUndefined();
    session.setLinks([linked('shop', '1')]);
    expect(session.active.value).toEqual(shop());
    await session.select({ ...shop(), deploymentId: '2' });
    expect(session.active.value?.deploymentId).toBe('2');
  });

  it('shows the deployment of the folder that was used last, until a user chooses another', async () => {
    session.setLinks([linked('a', '1'), linked('b', '2')]);
    expect(session.active.value?.deploymentId).toBe('1');
    await session.use('file:///b');
    expect(session.active.value?.deploymentId).toBe('2');
    await session.use('file:///unknown');
    expect(session.active.value?.deploymentId).toBe('2');
    await session.select({ ...shop(), deploymentId: '3' });
    await session.use('file:///a');
    expect(session.active.value?.deploymentId).toBe('3');
  });

  it('works on the deployment of the folder that was edited last, or on one that was selected since', async () => {
    session.setLinks([linked('a', '1'), linked('b', '2')]);
    expect(session.used.value?.deploymentId).toBe('1');
    await session.use('file:///b');
    expect(session.used.value?.deploymentId).toBe('2');
    await session.select({ ...shop(), deploymentId: '3' });
    expect(session.used.value?.deploymentId).toBe('3');
    await session.use('file:///b');
    expect(session.used.value?.deploymentId).toBe('2');
    expect(session.active.value?.deploymentId).toBe('3');
    // The folder is closed: what is left is the selection.
    session.setLinks([]);
    expect(session.used.value?.deploymentId).toBe('3');
  });

  it('shows the folder that was used last in the next window, and at once if it cannot be stored', async () => {
    const window = new MemoryState();
    const first = new Session({ accounts, window, userState });
    first.setLinks([linked('a', '1'), linked('b', '2')]);
    await first.use('file:///b');
    const next = new Session({ accounts, window, userState });
    next.setLinks([linked('a', '1'), linked('b', '2')]);
    expect(next.used.value?.deploymentId).toBe('2');
    const full = new Session({
      accounts,
      window: { get: () => undefined, set: () => Promise.reject(new Error('The disk is full')) },
      userState,
    });
    full.setLinks([linked('a', '1'), linked('b', '2')]);
    await expect(full.use('file:///b')).rejects.toThrow('The disk is full');
    expect(full.used.value?.deploymentId).toBe('2');
  });

  it('lets each folder work with an account of its own at the tenant, and forgets one that signed out', async () => {
    const other = await accounts.add(url, 'other key', 'as a robot');
    const folder = linked('shop', '1');
    session.setLinks([folder, linked('bank', '2')]);
    const shown: unknown[] = [];
    session.onDidBind(() => shown.push(session.targetOf(folder)));
    await session.bind(folder.folderId, other.id);
    expect(shown).toEqual([{ accountId: other.id, deploymentId: '1' }]);
    expect(session.targetOf(linked('bank', '2'))).toEqual({ ...shop(), deploymentId: '2' });
    const otherWindow = new Session({ accounts, window: new MemoryState(), userState });
    expect(otherWindow.targetOf(folder)?.accountId).toBe(other.id);
    await accounts.remove(other.id);
    expect(session.targetOf(folder)).toEqual(shop());
  });

  it('does not use the account of another tenant for a folder, whatever was chosen before', async () => {
    const elsewhere = await accounts.add('https://other.example.com', 'key');
    await session.bind('file:///shop', elsewhere.id);
    expect(session.targetOf(linked('shop', '1'))).toEqual(shop());
  });

  it('drops a choice whose account signed out', async () => {
    await session.select(shop());
    await accounts.remove(account.id);
    expect(session.active.value).toBeUndefined();
  });

  it('keeps dev mode per account and deployment, across windows', async () => {
    await session.enter({ ...shop(), branchName: 'dev-ada-1' });
    const otherWindow = new Session({ accounts, window: new MemoryState(), userState });
    expect(otherWindow.activeBranch(shop())).toBe('dev-ada-1');
    expect(otherWindow.activeBranch({ ...shop(), deploymentId: '2' })).toBeUndefined();
  });

  it('says when the active branch is gone on the platform, and keeps the others', async () => {
    await session.enter({ ...shop(), branchName: 'dev-ada-1' });
    await session.enter({ ...shop(), branchName: 'dev-ada-2' });
    expect(await session.keepOnly(shop(), new Set(['main', 'dev-ada-1', 'dev-ada-2']))).toBe(false);
    expect(await session.keepOnly(shop(), new Set(['main', 'dev-ada-1']))).toBe(true);
    expect(session.activeBranch(shop())).toBeUndefined();
    expect([...session.myBranches(shop())]).toEqual(['dev-ada-1']);
  });

  it('shows what another window of the same user changed', async () => {
    session.setLinks([linked('shop', '1')]);
    await session.enter({ ...shop(), branchName: 'dev-ada-1' });
    const told: string[] = [];
    session.onDidChangeDevMode(({ deploymentId }) => told.push(deploymentId));
    session.recheck();
    expect(told).toEqual([]);
    const other = new Session({ accounts, window: new MemoryState(), userState });
    await other.enter({ ...shop(), branchName: 'dev-ada-2' });
    session.recheck();
    session.recheck();
    expect(told).toEqual(['1']);
    expect(session.activeBranch(shop())).toBe('dev-ada-2');
  });

  it('reads damaged personal state as none', async () => {
    await session.enter({ ...shop(), branchName: 'dev-ada-1' });
    for (const key of userState.values.keys()) userState.values.set(key, '{"active":7}');
    expect(session.activeBranch(shop())).toBeUndefined();
  });
});

/** A sync that only counts. */
function fakeSync(): FolderSync & { plans: number; closed: boolean } {
  const status = { localChanges: [], remoteChanges: [], conflicts: [], frozen: [] } as unknown as SyncStatus;
  const fake = {
    plans: 0,
    closed: false,
    status: new Store(status),
    plan: () => {
      fake.plans += 1;
      return Promise.resolve({ entries: [] });
    },
    close: () => {
      fake.closed = true;
      return Promise.resolve();
    },
    dispose: () => undefined,
  };
  return fake as unknown as FolderSync & { plans: number; closed: boolean };
}

describe('sync sessions', () => {
  const opened: { name: string; branch: string; sync: ReturnType<typeof fakeSync> }[] = [];
  const trusted = new Store(true);
  let syncs: SyncSessions;

  beforeEach(() => {
    opened.length = 0;
    trusted.set(true);
    const open: OpenSync = (folder, { branchName }) => {
      const sync = fakeSync();
      opened.push({ name: folder.name, branch: branchName, sync });
      return Promise.resolve(sync);
    };
    syncs = new SyncSessions({ session, accounts, isTrusted: trusted, open, logger: silentLogger });
  });

  afterEach(() => syncs.dispose());

  it('opens one for a linked folder with an active dev branch, and looks once', async () => {
    session.setLinks([linked('shop', '1'), linked('other', '2')]);
    await session.enter({ ...shop(), branchName: 'dev-ada-1' });
    await syncs.reconcile();
    expect(opened.map(({ name, branch, sync }) => [name, branch, sync.plans])).toEqual([['shop', 'dev-ada-1', 1]]);
  });

  it('closes the old one before the new one when the branch is switched', async () => {
    session.setLinks([linked('shop', '1')]);
    await session.enter({ ...shop(), branchName: 'dev-ada-1' });
    await session.enter({ ...shop(), branchName: 'dev-ada-2' });
    await syncs.reconcile();
    expect(opened.at(-1)?.branch).toBe('dev-ada-2');
    expect(opened.slice(0, -1).every(({ sync }) => sync.closed)).toBe(true);
    expect(syncs.all.value).toHaveLength(1);
  });

  it('opens nothing in an untrusted window, until it is trusted', async () => {
    trusted.set(false);
    session.setLinks([linked('shop', '1')]);
    await session.enter({ ...shop(), branchName: 'dev-ada-1' });
    await syncs.reconcile();
    expect(opened).toHaveLength(0);
    trusted.set(true);
    await syncs.reconcile();
    expect(opened).toHaveLength(1);
  });

  it('closes when the user signs out or stops dev mode', async () => {
    session.setLinks([linked('shop', '1')]);
    await session.enter({ ...shop(), branchName: 'dev-ada-1' });
    await syncs.reconcile();
    await accounts.remove(account.id);
    await syncs.reconcile();
    expect(opened[0]?.sync.closed).toBe(true);
    expect(syncs.all.value).toHaveLength(0);
  });

  it('gives the session of a folder that is linked only after it was asked for', async () => {
    const clock = new ManualClock();
    const asked = syncs.awaited('file:///shop', 30_000, clock);
    session.setLinks([linked('shop', '1')]);
    await session.enter({ ...shop(), branchName: 'dev-ada-1' });
    expect(await asked).toMatchObject({ target: { branchName: 'dev-ada-1' } });
    expect(await syncs.awaited('file:///shop', 30_000, clock)).toBe(await asked);
  });

  it('gives no session of a folder that gets none in time', async () => {
    const clock = new ManualClock();
    const asked = syncs.awaited('file:///elsewhere', 30_000, clock);
    await clock.advance(30_000);
    expect(await asked).toBeUndefined();
  });

  it('shows why one could not be opened and tries again with the next change', async () => {
    let fail = true;
    const open: OpenSync = () => (fail ? Promise.reject(new Error('No disk.')) : Promise.resolve(fakeSync()));
    const own = new SyncSessions({ session, accounts, isTrusted: trusted, open, logger: silentLogger });
    session.setLinks([linked('shop', '1')]);
    await session.enter({ ...shop(), branchName: 'dev-ada-1' });
    await own.reconcile();
    expect(own.problem('file:///shop')?.message).toBe('No disk.');
    fail = false;
    await own.reconcile();
    expect(own.problem('file:///shop')).toBeUndefined();
    expect(own.all.value).toHaveLength(1);
  });
});
