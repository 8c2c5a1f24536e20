import { describe, expect, it } from 'vitest';
import { createBranch, deleteBranch } from '#api/resources/branches.ts';
import { deleteDeployment } from '#api/resources/deployments.ts';
import { isPlatformError } from '#api/errors.ts';
import { carriedText, startDevMode } from '#features/branches/dev-mode.ts';
import { errorTexts } from '#shell/error-texts.ts';
import { DeletionWatch } from '#features/folders/deletion-watch.ts';
import { whileHeld } from '#features/folders/hold.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { openSyncDesk, type SyncDesk } from '#support/sync-desk.ts';
import { commitBranch, mergeBranch } from '#support/confirmed-steps.ts';

const params = { deploymentId: '1' };
/** The first file of a push has arrived. */
const upload = /POST .*\/upload\/file$/;
const names = ['one', 'two', 'three', 'four'].map((name) => `model/cubes/${name}.yml`);
const mine = 'cubes: [] # mine\n';

interface Scene extends SyncDesk {
  readonly dev: BranchTarget;
  readonly remote: (path: string, branch?: string) => Promise<string | undefined>;
}

/** A window in dev mode with everything of the branch here, and some files that are not on the platform yet. */
async function working(parent = 'main'): Promise<Scene> {
  const desk = await openSyncDesk();
  const dev = await startDevMode(desk, { accountId: desk.account.id, deploymentId: '1', branchName: parent });
  await desk.syncs.reconcile();
  const { sync } = desk.only();
  await sync.pull(await sync.plan(), 'all');
  for (const name of names) desk.write(name, mine);
  const remote = (path: string, branch = dev.branchName): Promise<string | undefined> =>
    desk.platform.control.readFile(1, branch, path);
  return { ...desk, dev, remote };
}

/** Does something at the moment when the first request of that kind has arrived, before it is served. */
function meanwhile({ platform }: SyncDesk, kind: RegExp, act: () => Promise<unknown>): void {
  const serve = platform.fetch.bind(platform);
  let isDone = false;
  const fetch = async (request: Request): Promise<Response> => {
    if (!isDone && kind.test(`${request.method} ${new URL(request.url).pathname}`)) {
      isDone = true;
      await act();
    }
    return serve(request);
  };
  Object.assign(platform, { fetch });
}

/** What was here is still here, whatever came of it. */
const here = (desk: SyncDesk): readonly string[] => names.map((name) => desk.read(name));
const allMine = names.map(() => mine);

describe('in the middle of a push', () => {
  it('a refresh of the views waits for nothing and disturbs nothing', async () => {
    const desk = await working();
    const { sync } = desk.only();
    const { branches } = desk.data.of(desk.dev);
    await branches.get();
    meanwhile(desk, upload, async () => {
      await branches.refresh();
      void sync.plan();
    });
    expect(await sync.push(await sync.plan(), 'all')).toMatchObject({ status: 'done' });
    await sync.plan();
    expect(sync.status.value).toMatchObject({
      localChanges: [],
      conflicts: [],
      error: undefined,
      state: { kind: 'inSync' },
    });
    expect(await Promise.all(names.map((name) => desk.remote(name)))).toEqual(allMine);
  });

  it('a deployment that is deleted costs nothing here, and is reported once', async () => {
    const desk = await working();
    const watch = new DeletionWatch(desk);
    await desk.data.deployments(desk.account.id).get();
    await desk.data.of(desk.dev).branches.get();
    await watch.check();
    meanwhile(desk, upload, async () => desk.client.call(deleteDeployment, { params }));
    const { sync } = desk.only();
    const outcome = await sync.push(await sync.plan(), 'all');
    expect(outcome).toMatchObject({ applied: [] });
    expect(outcome.status).not.toBe('done');
    expect(outcome.message).not.toBe('');
    expect(here(desk)).toEqual(allMine);
    await sync.plan().catch(() => undefined);
    watch.checkAfter(desk.only());
    await desk.data.of(desk.dev).branches.refresh();
    await watch.check();
    await desk.data.deployments(desk.account.id).refresh();
    expect(await watch.check()).toMatchObject([{ kind: 'deployment', name: 'Shop analytics' }]);
    expect(await watch.check()).toEqual([]);
  });

  it('a sign-out closes the sync when the request has ended; the rest waits here until the next sign-in', async () => {
    const desk = await working();
    const { sync } = desk.only();
    const plan = await sync.plan();
    let closing: Promise<void> | undefined;
    meanwhile(desk, upload, async () => {
      await desk.accounts.remove(desk.account.id);
      closing = desk.syncs.reconcile();
    });
    const outcome = await sync.push(plan, 'all').catch((error: unknown) => errorTexts(error));
    await closing;
    expect(desk.syncs.all.value).toEqual([]);
    expect(here(desk)).toEqual(allMine);
    expect(outcome).toBeDefined();
    await desk.accounts.add(desk.account.tenantUrl, desk.platform.apiKey);
    await desk.syncs.reconcile();
    const again = desk.only().sync;
    expect(await again.push(await again.plan(), 'all')).toMatchObject({ status: 'done' });
    expect(await Promise.all(names.map((name) => desk.remote(name)))).toEqual(allMine);
  });

  it('a folder that is removed from the workspace is synced to the end of the request, and loses nothing', async () => {
    const desk = await working();
    const { sync, folder } = desk.only();
    const plan = await sync.plan();
    let closing: Promise<void> | undefined;
    meanwhile(desk, upload, async () => {
      desk.session.setLinks([]);
      closing = desk.syncs.reconcile();
      return Promise.resolve();
    });
    await sync.push(plan, 'all').catch(() => undefined);
    await closing;
    expect(desk.syncs.all.value).toEqual([]);
    desk.session.setLinks([folder]);
    await desk.syncs.reconcile();
    const again = desk.only().sync;
    const rest = await again.plan();
    expect(rest.entries.filter(({ kind }) => kind === 'conflict')).toEqual([]);
    await again.push(rest, 'all');
    expect(await Promise.all(names.map((name) => desk.remote(name)))).toEqual(allMine);
    expect(here(desk)).toEqual(allMine);
  });
});

describe('a dev branch', () => {
  it('gives a clear error when it is deleted during its merge; its files stay, and the window leaves it', async () => {
    const desk = await working('returns-model');
    const watch = new DeletionWatch(desk);
    await desk.data.of(desk.dev).branches.get();
    const query = { branchName: desk.dev.branchName };
    meanwhile(desk, /POST .*\/merge$/, async () => desk.client.call(deleteBranch, { params, query }));
    const options = { squashCommits: false, switchToParentBranch: false, deleteBranch: false };
    const merging = whileHeld(desk.syncs.all.value, 'ownPull', () => mergeBranch(desk.data, desk.dev, options));
    const error = await merging.catch((thrown: unknown) => thrown);
    expect(isPlatformError(error, 'notFound')).toBe(true);
    const words = errorTexts(error);
    expect(words).toMatchObject({ kind: 'expected' });
    expect(JSON.stringify(words)).toContain(desk.dev.branchName);
    expect(desk.only().sync.status.value.paused).toEqual([]);
    await desk.data.of(desk.dev).branches.refresh();
    expect(await watch.check()).toMatchObject([{ kind: 'branch', name: desk.dev.branchName }]);
    await desk.syncs.reconcile();
    expect(desk.syncs.all.value).toEqual([]);
    expect(here(desk)).toEqual(allMine);
  });

  it('has unpushed changes again when the user returns to it', async () => {
    const desk = await working();
    const other = await startDevMode(desk, { ...desk.dev, branchName: 'returns-model' });
    await desk.syncs.reconcile();
    const there = await desk.only().sync.plan();
    expect(there.target).toContain(other.branchName);
    expect(await desk.remote(names[0] ?? '', other.branchName)).toBeUndefined();
    await startDevMode(desk, desk.dev);
    await desk.syncs.reconcile();
    const { sync, target } = desk.only();
    expect(target.branchName).toBe(desk.dev.branchName);
    await sync.plan();
    expect(sync.status.value.localChanges.map(({ path }) => path).sort()).toEqual([...names].sort());
    expect(sync.status.value.conflicts).toEqual([]);
  });

  it('is named with the changes that it lacks when the user leaves it', () => {
    expect(carriedText('dev-a', { files: 2, unsaved: 1 })).toBe(
      '; changes that “dev-a” does not have stay here and are compared with it now: 2 not pushed, 1 not saved',
    );
    expect(carriedText('dev-a', { files: 0, unsaved: 3 })).toMatch(/: 3 not saved$/);
    expect([carriedText('dev-a', { files: 0, unsaved: 0 }), carriedText(undefined, { files: 9, unsaved: 9 })]).toEqual([
      '',
      '',
    ]);
  });

  it('is shared by two folders of a window: each pulls what the other pushes, and neither overwrites', async () => {
    const desk = await working();
    const first = desk.only().sync;
    const second = desk.addFolder();
    await desk.syncs.reconcile();
    const sync = desk.syncs.ofFolder(second.folderId)?.sync;
    expect(desk.syncs.ofBranch(desk.dev)).toHaveLength(2);
    await sync?.pull(await sync.plan(), 'all');
    await first.push(await first.plan(), 'all');
    await sync?.plan();
    expect(sync?.status.value.remoteChanges.map(({ path }) => path).sort()).toEqual([...names].sort());
    second.write(names[0] ?? '', 'cubes: [] # second\n');
    const plan = await sync?.plan();
    expect(plan?.entries.find(({ path }) => path === names[0])).toMatchObject({
      kind: 'conflict',
      reason: 'bothAdded',
    });
    if (plan) await sync?.push(plan, 'all');
    expect(await desk.remote(names[0] ?? '')).toBe(mine);
  });
});

describe('names of branches', () => {
  it.each(['feature/sales/2026', 'release-1.2_x', `feature/${'long-'.repeat(20)}name`, 'a+b@c'])(
    '“%s” can be worked on: dev mode, a save and a commit reach it',
    async (name) => {
      const desk = await openSyncDesk();
      const { client, platform } = desk;
      const made = await client.call(createBranch, { params, body: { name } });
      expect(made.name).toBe(name);
      const dev = await startDevMode(desk, { accountId: desk.account.id, deploymentId: '1', branchName: name });
      await desk.syncs.reconcile();
      const { sync } = desk.only();
      await sync.pull(await sync.plan(), 'all');
      const [path = ''] = names;
      desk.write(path, mine);
      expect(await sync.push(await sync.plan(), 'all')).toMatchObject({ status: 'done' });
      expect((await commitBranch(desk.data, dev, 'Name')).ok).toBe(true);
      expect(await platform.control.readFile(1, name, path)).toBe(mine);
    },
  );
});
