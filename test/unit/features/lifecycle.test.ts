import { describe, expect, it } from 'vitest';
import { deleteBranch, startDevMode as startDevModeOperation } from '#api/resources/branches.ts';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { deleteDeployment } from '#api/resources/deployments.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { DeletionWatch } from '#features/folders/deletion-watch.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { openSyncDesk, type SyncDesk } from '#support/sync-desk.ts';

const file = 'model/cubes/orders.yml';
const mine = 'cubes: [] # mine\n';

interface Scene extends SyncDesk {
  readonly dev: BranchTarget;
}

/** A window in dev mode with everything of the branch here. */
async function working(): Promise<Scene> {
  const desk = await openSyncDesk();
  const dev = await enter(desk, 'main');
  const { sync } = desk.only();
  await sync.pull(await sync.plan(), 'all');
  return { ...desk, dev };
}

async function enter(desk: SyncDesk, branchName: string): Promise<BranchTarget> {
  const dev = await startDevMode(desk, { accountId: desk.account.id, deploymentId: '1', branchName });
  await desk.syncs.reconcile();
  return dev;
}

/** Changes a file here and saves it, as far as the sync gets. */
async function save(desk: SyncDesk, text = mine): Promise<void> {
  desk.write(file, text);
  const { sync } = desk.only();
  sync.onSaved([file]);
  await sync.flush();
}

const remote = (desk: SyncDesk, branch: string): Promise<string | undefined> =>
  desk.platform.control.readFile(1, branch, file);

describe('what happens to a window’s work', () => {
  it('when the branch is switched: it stays on the branch it was saved on', async () => {
    const desk = await working();
    await save(desk);
    const other = await enter(desk, 'returns-model');
    expect(desk.only().target.branchName).toBe(other.branchName);
    expect(await remote(desk, desk.dev.branchName)).toBe(mine);
    expect(await remote(desk, other.branchName)).not.toBe(mine);
    expect(desk.read(file)).toBe(mine);
    // The other branch's version is to come in, once the user pulls; nothing is uploaded automatically.
    const plan = await desk.only().sync.plan();
    expect(plan.entries.find(({ path }) => path === file)?.kind).toBe('download');
  });

  it('when it is saved while the folder is still being opened on another branch: its sync is informed', async () => {
    const desk = await working();
    const { folderId } = desk.only().folder;
    const entered = enter(desk, 'returns-model');
    const opened = new Promise((resolve) =>
      desk.session.onDidChangeDevMode(() => resolve(desk.syncs.opened(folderId))),
    );
    const other = await entered;
    expect(await opened).toMatchObject({ target: { branchName: other.branchName } });
    expect(await opened).toBe(desk.only());
    await desk.accounts.remove(desk.account.id);
    expect(await desk.syncs.opened(folderId)).toBeUndefined();
  });

  it('when the views show another deployment: the folder stays in sync with its own', async () => {
    const desk = await working();
    await desk.session.select({ accountId: desk.account.id, deploymentId: '2' });
    await desk.syncs.reconcile();
    await save(desk);
    expect(await remote(desk, desk.dev.branchName)).toBe(mine);
  });

  it('when the user signs out and in again: it waits here, and continues where it was', async () => {
    const desk = await working();
    await desk.accounts.remove(desk.account.id);
    await desk.syncs.reconcile();
    expect(desk.syncs.all.value).toEqual([]);
    desk.write(file, mine);
    expect(await remote(desk, desk.dev.branchName)).not.toBe(mine);
    await desk.accounts.add(desk.account.tenantUrl, desk.platform.apiKey);
    await desk.syncs.reconcile();
    const { sync, target } = desk.only();
    expect(target).toEqual(desk.dev);
    const outcome = await sync.push(await sync.plan(), 'all');
    expect(outcome.status).toBe('done');
    expect(await remote(desk, desk.dev.branchName)).toBe(mine);
  });

  it('when the key is revoked: it waits here until there is another one', async () => {
    const desk = await working();
    await desk.accounts.add(desk.account.tenantUrl, 'revoked');
    await save(desk);
    expect(desk.only().sync.status.value.error).toMatchObject({ kind: 'auth' });
    expect(desk.read(file)).toBe(mine);
    await desk.accounts.add(desk.account.tenantUrl, desk.platform.apiKey);
    const { sync } = desk.only();
    await sync.push(await sync.plan(), 'all');
    expect(await remote(desk, desk.dev.branchName)).toBe(mine);
  });

  it('when its dev branch is deleted elsewhere: the window leaves dev mode and keeps the files', async () => {
    const desk = await working();
    const watch = new DeletionWatch(desk);
    await desk.data.of(desk.dev).branches.get();
    expect(await watch.check()).toEqual([]);
    await desk.client.call(deleteBranch, {
      params: { deploymentId: '1' },
      query: { branchName: desk.dev.branchName },
    });
    await save(desk);
    expect(desk.only().sync.status.value.error).toBeDefined();
    watch.checkAfter(desk.only());
    await desk.data.of(desk.dev).branches.refresh();
    expect(await watch.check()).toMatchObject([{ kind: 'branch', name: desk.dev.branchName }]);
    expect(await watch.check()).toEqual([]);
    await desk.syncs.reconcile();
    expect(desk.syncs.all.value).toEqual([]);
    expect(desk.read(file)).toBe(mine);
    const again = await enter(desk, 'main');
    expect(again.branchName).not.toBe('');
    expect(desk.read(file)).toBe(mine);
  });

  it('when its deployment is deleted elsewhere: that is reported once, and the files stay', async () => {
    const desk = await working();
    const watch = new DeletionWatch(desk);
    await desk.data.deployments(desk.account.id).get();
    await desk.data.of(desk.dev).branches.get();
    await desk.session.select({ accountId: desk.account.id, deploymentId: '1' });
    expect(await watch.check()).toEqual([]);
    await desk.client.call(deleteDeployment, { params: { deploymentId: '1' } });
    await save(desk);
    expect(desk.only().sync.status.value.error).toBeDefined();
    await desk.data.of(desk.dev).branches.refresh();
    await watch.check();
    // Branches that cannot be found made it ask for the deployments.
    await desk.data.deployments(desk.account.id).refresh();
    expect(await watch.check()).toMatchObject([{ kind: 'deployment', name: 'Shop analytics' }]);
    expect(await watch.check()).toEqual([]);
    expect(desk.read(file)).toBe(mine);
  });

  it('when a list could not be loaded: nothing is taken for gone', async () => {
    const desk = await working();
    const watch = new DeletionWatch(desk);
    await desk.data.of(desk.dev).branches.get();
    desk.platform.control.faults([{ kind: 'status', status: 503, path: '/branches' }]);
    await desk.data.of(desk.dev).branches.refresh();
    expect(desk.data.of(desk.dev).branches.state.value.error).toBeDefined();
    expect(await watch.check()).toEqual([]);
    expect(desk.session.activeBranch(desk.dev)).toBe(desk.dev.branchName);
  });

  it('with the same folder and branch in two windows: the second reads, and uploads when the first closes', async () => {
    const desk = await working();
    const second = await desk.openSecond();
    await second.plan();
    expect(second.status.value.state).toMatchObject({ kind: 'readOnly' });
    desk.write(file, mine);
    const refused = await second.push(await second.plan(), 'all');
    expect(refused).toMatchObject({ status: 'refused' });
    expect(await remote(desk, desk.dev.branchName)).not.toBe(mine);
    await save(desk);
    expect(await remote(desk, desk.dev.branchName)).toBe(mine);
    await second.plan();
    expect(second.status.value.localChanges).toEqual([]);
    // The first one closes: the next look of the second makes it the one that sends.
    desk.isTrusted.set(false);
    await desk.syncs.reconcile();
    desk.write(file, 'cubes: [] # second\n');
    const plan = await second.plan();
    expect(second.status.value.state).toMatchObject({ kind: 'changes' });
    expect(await second.push(plan, 'all')).toMatchObject({ status: 'done' });
    expect(await remote(desk, desk.dev.branchName)).toBe('cubes: [] # second\n');
  });

  it('with the same folder on two branches in two windows: the first one changes nothing more', async () => {
    const desk = await working();
    const { sync: first } = desk.only();
    // Another window switches, and this one has not heard of it yet.
    const target = { deploymentId: '1', branchName: 'returns-model' };
    const other = await desk.client.call(startDevModeOperation, {
      params: { deploymentId: target.deploymentId },
      body: { branchName: target.branchName },
    });
    const body = { branchName: other.name, files: [{ path: file, content: 'cubes: [] # of the other branch\n' }] };
    await desk.client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
    const second = await desk.openSecond(other.name);
    await second.pull(await second.plan(), 'all');
    expect(desk.read(file)).toBe('cubes: [] # of the other branch\n');
    const before = await first.plan();
    for (const work of [first.pull(before, 'all'), first.push(before, 'all'), first.resolve(file, 'theirs')]) {
      expect(await work).toMatchObject({
        status: 'refused',
        message: `Another window or command syncs this folder with “${other.name}” now, so nothing was changed. Switch to a branch in this window to continue here.`,
      });
    }
    first.onSaved([file]);
    await first.flush();
    expect(desk.read(file)).toBe('cubes: [] # of the other branch\n');
    expect(await remote(desk, desk.dev.branchName)).not.toContain('of the other branch');
    // The window that switched works on.
    desk.write(file, mine);
    expect(await second.push(await second.plan(), 'all')).toMatchObject({ status: 'done' });
    expect(await remote(desk, other.name)).toBe(mine);
  });
});
