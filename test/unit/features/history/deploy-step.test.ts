import { describe, expect, it } from 'vitest';
import { systemClock } from '#base/clock.ts';
import { Emitter } from '#base/event.ts';
import { Store } from '#base/store.ts';
import { PlanView } from '#features/folders/plan-view.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { ConfirmedDeploy } from '#features/history/confirmed-deploy.ts';
import { DeployStep } from '#features/history/deploy-step.ts';
import { MessageDrafts } from '#features/history/message-drafts.ts';
import { openDesk } from '#support/features.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { runDirectly } from '#support/operations.ts';
import type { ApplyOptions, SyncOutcome } from '#sync/core/folder-sync.ts';
import type { Plan, PlanEntry } from '#sync/core/planning/plan.ts';

const uploadOf = (hash: string): PlanEntry => ({
  kind: 'upload',
  path: 'model/a.yml',
  reason: 'added',
  hash,
  size: 1,
  expectedRemote: undefined,
});
const planOf = (...entries: readonly PlanEntry[]): Plan => ({
  target: 't',
  generation: 1,
  time: 0,
  entries,
  guards: [],
  unchanged: 0,
});

/** What changes while the page is open. */
interface Now {
  entries: readonly PlanEntry[];
  branch: string;
  areBranchesDown: boolean;
  isLinked: boolean;
  linkedTo?: DeploymentTarget;
  deployMode?: string;
}

type Scene = Awaited<ReturnType<typeof scene>>;

async function withMode(response: Response, deployMode: string): Promise<Response> {
  return new Response(
    (await response.text()).replaceAll('"deployMode":"cli"', `"deployMode":"${deployMode}"`),
    response,
  );
}

/** A folder whose production differs by `now.entries`, and what became of it. */
async function scene(...entries: readonly PlanEntry[]) {
  const now: Now = { entries, branch: 'master', areBranchesDown: false, isLinked: true };
  const { account, data } = await openDesk({
    through: async (request, send) => {
      if (now.deployMode !== undefined && new URL(request.url).pathname.endsWith('/deployments'))
        return withMode(await send(request), now.deployMode);
      if (!new URL(request.url).pathname.endsWith('/branches')) return send(request);
      if (now.areBranchesDown) return new Response('', { status: 400 });
      return now.branch === 'master' ? send(request) : Response.json([{ name: now.branch }]);
    },
  });
  const deployments = await data.deployments(account.id).get();
  const { id: deploymentId = '' } = deployments.find(({ deployMode }) => deployMode === 'cli') ?? {};
  const target = { accountId: account.id, deploymentId, branchName: 'master' };
  const pushed: (ApplyOptions | undefined)[] = [];
  const log: string[] = [];
  const access = new ConfirmedDeploy({} as never);
  const sync = {
    status: new Store({ plan: undefined }),
    plan: async () => Promise.resolve(planOf(...now.entries)),
    push: async (_plan: Plan, _selection: ReadonlySet<string>, options?: ApplyOptions) => {
      pushed.push(options);
      log.push(access.isOpen ? 'pushed' : 'pushed without a pass');
      return Promise.resolve({ status: 'done', applied: now.entries } as unknown as SyncOutcome);
    },
  };
  const links = new Store<unknown>(undefined);
  const bound = new Emitter<void>();
  const folder = { folderId: 'file:///shop', name: 'shop' };
  const plan = new PlanView();
  const drafts = new MessageDrafts();
  const step = new DeployStep(
    {
      data,
      session: {
        folder: () => (now.isLinked ? undefined : { folderId: 'file:///shop', name: 'shop' }),
        targetOf: () => (now.isLinked ? (now.linkedTo ?? target) : undefined),
        links,
        onDidBind: bound.event,
      } as never,
      isProtected: () => false,
      comparison: { clock: systemClock, operations: runDirectly(), plan },
      drafts,
      host: { say: (text) => log.push(text), ended: (_target, { status }) => log.push(status) },
    },
    { folder, target, sync } as unknown as SyncSession,
    access,
  );
  /** Sends the page off, with what it wants to be typed or with something else. */
  const confirm = async (message: string, typed?: string): Promise<boolean | undefined> => {
    const { work, plan: shown, ticked } = plan.open.value ?? {};
    const wanted = work?.form.value.confirmation?.expected ?? '';
    return shown && ticked && work?.apply(shown, ticked, { message, typed: typed ?? wanted, options: [] });
  };
  return { step, plan, drafts, target, now, pushed, log, confirm, links, bound, data };
}

describe('DeployStep', () => {
  it('opens no plan where production matches the folder', async () => {
    const { step, plan } = await scene();
    expect(await step.plan(() => undefined)).toBe('matches');
    expect(plan.open.value).toBeUndefined();
  });

  it('uploads once what was confirmed, with its message', async () => {
    const { step, confirm, pushed, log } = await scene(uploadOf('1'));
    expect(await step.plan(() => undefined)).toBe('open');
    expect(await confirm(' Ship orders ')).toBe(true);
    expect(pushed).toMatchObject([{ message: 'Ship orders' }]);
    expect(log).toEqual(['pushed', 'done']);
  });

  it('uploads nothing while the confirmation is not typed', async () => {
    const { step, confirm, log } = await scene(uploadOf('1'));
    await step.plan(() => undefined);
    expect(await confirm('', 'something else')).toBe(false);
    expect(log).toEqual([]);
  });

  it('uploads nothing where the folder changed after it was confirmed', async () => {
    const { step, confirm, now, log } = await scene(uploadOf('1'));
    await step.plan(() => undefined);
    now.entries = [uploadOf('2')];
    await expect(confirm('')).rejects.toThrow('changed meanwhile, so nothing was deployed');
    expect(log).toEqual([]);
  });

  it('uploads nothing where production is built from another branch since', async () => {
    const { step, confirm, now, log } = await scene(uploadOf('1'));
    await step.plan(() => undefined);
    now.branch = 'release';
    await expect(confirm('')).rejects.toThrow('is now built from “release”, so nothing was deployed');
    expect(log).toEqual([]);
  });

  it('uploads nothing while it is unknown which branch production is built from', async () => {
    const { step, plan, now, pushed, confirm } = await scene(uploadOf('1'));
    await step.plan(() => undefined);
    expect(plan.open.value).toBeDefined();
    now.areBranchesDown = true;
    await expect(confirm('Ship orders')).rejects.toThrow(/400/);
    expect(pushed).toEqual([]);
  });

  it('keeps a message for the next attempt until the deploy went through', async () => {
    const { step, plan, confirm, drafts, target } = await scene(uploadOf('1'));
    await step.plan(() => undefined);
    plan.open.value?.work?.keep('Ship orders');
    expect(drafts.of('deploy', target)).toBe('Ship orders');
    await confirm('Ship orders');
    expect(drafts.of('deploy', target)).toBeUndefined();
  });

  it.each([
    ['the folder is linked to another deployment', { deploymentId: '999' }, /linked to another deployment/],
    ['the folder has another account', { accountId: 'https://other.example' }, /linked to another deployment/],
  ])('uploads nothing where %s since', async (_, other, refusal) => {
    const { step, confirm, now, target, pushed } = await scene(uploadOf('1'));
    await step.plan(() => undefined);
    now.linkedTo = { ...target, ...other };
    await expect(confirm('')).rejects.toThrow(refusal);
    expect(pushed).toEqual([]);
  });

  it.each([
    ['its link', ({ links }: Scene) => links.set({})],
    ['its account', ({ bound }: Scene) => bound.fire()],
    ['the accounts', ({ data }: Scene) => data.touch()],
  ])('closes its plan with %s', async (_, change) => {
    const opened = await scene(uploadOf('1'));
    let released = 0;
    await opened.step.plan(() => (released += 1));
    change(opened);
    expect(opened.plan.open.value).toBeDefined();
    opened.now.isLinked = false;
    change(opened);
    expect(opened.plan.open.value).toBeUndefined();
    expect(released).toBe(1);
  });

  it('uploads nothing where a Git repository feeds the deployment since', async () => {
    const { step, confirm, now, pushed } = await scene(uploadOf('1'));
    await step.plan(() => undefined);
    now.deployMode = 'git';
    await expect(confirm('')).rejects.toThrow('is not deployed by uploads');
    expect(pushed).toEqual([]);
  });

  it('releases the folder when its plan is closed', async () => {
    const { step, plan } = await scene(uploadOf('1'));
    let released = 0;
    await step.plan(() => (released += 1));
    plan.close();
    expect(released).toBe(1);
  });
});
