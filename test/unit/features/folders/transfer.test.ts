import { describe, expect, it } from 'vitest';
import { Store } from '#base/store.ts';
import { PlanView } from '#features/folders/plan-view.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { applyPlan, bringChanges, comparePlan, planTransfer, type TransferHost } from '#features/folders/transfer.ts';
import { runDirectly } from '#support/operations.ts';
import type { Plan, PlanEntry, PlanGuard } from '#sync/core/planning/plan.ts';

const upload = (path: string): PlanEntry => ({
  kind: 'upload',
  path,
  reason: 'changed',
  hash: 'h',
  size: 1,
  expectedRemote: 'o',
});
const download: PlanEntry = { kind: 'download', path: 'd', reason: 'changed', hash: 'h', size: 1, expectedLocal: 'o' };
const deletion: PlanEntry = { kind: 'deleteLocal', path: 'g', expectedLocal: 'o', size: 1 };
const guard = (more: Partial<PlanGuard> = {}): PlanGuard =>
  ({ kind: 'manyDeletions', blocks: 'push', confirmable: true, message: 'Many files.', ...more }) as PlanGuard;
const planOf = (entries: readonly PlanEntry[], guards: readonly PlanGuard[] = []): Plan => ({
  target: 't',
  generation: 1,
  time: 0,
  entries,
  guards,
  unchanged: 0,
});

/** A folder with these plans, one after the other; the last one stays. */
function scene(plans: readonly Plan[], host: Partial<TransferHost> = {}) {
  const left = [...plans];
  const log: string[] = [];
  const next = async (): Promise<Plan> => Promise.resolve((left.length > 1 ? left.shift() : left[0]) ?? planOf([]));
  const send = (way: string) => async (_plan: Plan, chosen: ReadonlySet<string>) => {
    log.push(`${way} ${[...chosen].join(' ')}`);
    return Promise.resolve({
      status: 'done',
      applied: [],
      changed: [],
      failed: [],
      bytes: 1,
      trashed: [],
      message: '',
    });
  };
  const sync = { status: new Store({ conflicts: [] }), plan: next, push: send('push'), pull: send('pull') };
  const target = { branchName: 'dev-ada' };
  const session = { folder: { folderId: 'f' }, target, sync } as unknown as SyncSession;
  const plan = new PlanView();
  let pass = (): void => undefined;
  const ports = {
    clock: { now: () => 0, sleep: async () => new Promise<void>((resolve) => (pass = resolve)) },
    operations: runDirectly(),
    plan,
    host: {
      mayPush: async () => Promise.resolve(true),
      confirmGuards: async () => Promise.resolve(true),
      say: (text: string) => log.push(text),
      showOutcome: ({ status }: { readonly status: string }) => log.push(status),
      offerRestore: () => log.push('restore'),
      refresh: () => undefined,
      ...host,
    },
  };
  return { ports, session, plan, log, pass: () => pass() };
}

describe('planTransfer', () => {
  it('says that nothing is left to do', async () => {
    const { ports, session, log, plan } = scene([planOf([download])]);
    await planTransfer(ports, session, 'push');
    expect([log, plan.open.value]).toEqual([['Nothing to push'], undefined]);
  });

  it('sends a single harmless change at once', async () => {
    const { ports, session, log, plan } = scene([planOf([upload('a')])]);
    await planTransfer(ports, session, 'push');
    expect([log, plan.open.value]).toEqual([['push a', 'done'], undefined]);
  });

  it.each([
    ['several files', planOf([upload('a'), upload('b')]), 'push'],
    ['a guarded change', planOf([upload('a')], [guard()]), 'push'],
    ['a deletion', planOf([deletion]), 'pull'],
  ] as const)('shows %s before anything is sent', async (_, compared, direction) => {
    const { ports, session, log, plan } = scene([compared]);
    await planTransfer(ports, session, direction);
    expect([log, plan.open.value?.plan]).toEqual([[], compared]);
  });
});

describe('comparePlan', () => {
  it('shows that a long comparison continues, and gives it up when that is closed', async () => {
    const { ports, session, plan, pass } = scene([]);
    let finish: (plan: Plan) => void = () => undefined;
    Object.assign(session.sync, { plan: async () => new Promise<Plan>((resolve) => (finish = resolve)) });
    const compared = comparePlan(ports, session, 'push');
    pass();
    await expect.poll(() => plan.open.value?.session).toBe(session);
    plan.close();
    finish(planOf([upload('a')]));
    expect(await compared).toBeUndefined();
  });
});

describe('bringChanges', () => {
  it.each([
    ['nothing', [planOf([upload('a')])], []],
    ['what changed', [planOf([download])], ['pull d', 'done']],
  ] as const)('brings %s at once', async (_, plans, expected) => {
    const { ports, session, log } = scene(plans);
    await bringChanges(ports, session);
    expect(log).toEqual(expected);
  });

  it.each([
    ['a deletion', planOf([download, deletion])],
    ['a guard', planOf([download, { ...download, path: 'e' }], [guard({ blocks: 'both' })])],
  ])('shows %s first', async (_, compared) => {
    const { ports, session, log, plan } = scene([compared]);
    await bringChanges(ports, session);
    expect([log, plan.open.value?.plan]).toEqual([[], compared]);
  });
});

describe('applyPlan', () => {
  const both = planOf([upload('a'), upload('b')], [guard()]);
  const opened = (plans: readonly Plan[], host?: Partial<TransferHost>) => {
    const place = scene(plans, host);
    place.plan.show(place.session, 'push', plans[0] ?? both);
    return place;
  };

  it('sends what is ticked and closes the plan', async () => {
    const { ports, log, plan } = opened([both]);
    await applyPlan(ports);
    expect([log, plan.open.value]).toEqual([['push a b', 'done'], undefined]);
  });

  it.each([
    ['the guards', { confirmGuards: async () => Promise.resolve(false) }],
    ['the branch', { mayPush: async () => Promise.resolve(false) }],
  ])('sends nothing where the user does not confirm %s', async (_, host) => {
    const { ports, log, plan } = opened([both], host);
    await applyPlan(ports);
    expect([log, plan.open.value?.plan]).toEqual([[], both]);
  });

  it('refuses what a guard blocks, and a plan that is not there', async () => {
    const { ports } = opened([planOf([upload('a')], [guard({ confirmable: false, message: 'Another account.' })])]);
    await expect(applyPlan(ports)).rejects.toThrow('Another account.');
    await expect(applyPlan(scene([]).ports)).rejects.toThrow(/no plan to apply/);
  });

  it('shows what is left when a part of it failed', async () => {
    const rest = planOf([upload('b')]);
    const { ports, session, plan } = opened([rest]);
    plan.show(session, 'push', both);
    Object.assign(session.sync, {
      push: async () =>
        Promise.resolve({
          status: 'partial',
          applied: [],
          changed: [],
          failed: [],
          bytes: 0,
          trashed: [],
          message: '',
        }),
    });
    await applyPlan(ports);
    expect(plan.open.value?.plan).toBe(rest);
  });
});
