import { describe, expect, it } from 'vitest';
import type { SyncSession } from '#features/sync-sessions.ts';
import type { Plan, PlanEntry } from '#sync/plan.ts';
import { PlanView } from '#vscode/changes/plan-view.ts';

const upload = (path: string): PlanEntry => ({
  kind: 'upload',
  path,
  reason: 'changed',
  hash: 'h',
  size: 1,
  expectedRemote: 'o',
});
const plan: Plan = {
  target: 't',
  generation: 1,
  time: 0,
  entries: [upload('a'), upload('b'), { kind: 'deleteRemote', path: 'c', expectedRemote: 'o', size: 1 }],
  guards: [],
  unchanged: 0,
};
const session = {
  folder: { folderId: 'f' },
  target: { branchName: 'dev-ada-1' },
  sync: {},
} as unknown as SyncSession;

describe('the plan that waits for ticks', () => {
  it('says that it is being made, then shows its files', async () => {
    const view = new PlanView();
    view.compare(session, 'push');
    await Promise.resolve();
    expect(view.nodes.value.map(({ id }) => id)).toEqual(['plan/comparing']);
    view.tick([]);
    view.show(session, 'push', plan);
    await Promise.resolve();
    expect(view.nodes.value.map(({ id }) => id)).toEqual(['plan/delete', 'plan/upload']);
    view.close();
    await Promise.resolve();
    expect(view.nodes.value).toEqual([]);
  });

  it('takes a group’s tick for its files', async () => {
    const view = new PlanView();
    view.show(session, 'push', plan);
    await Promise.resolve();
    const group = view.nodes.value.find(({ id }) => id === 'plan/upload');
    if (group) view.tick([[group, false]]);
    expect([...(view.open.value?.ticked ?? [])]).toEqual(['c']);
  });

  it('turns ticks by the ids of rows, as the keyboard’s menu names them', async () => {
    const view = new PlanView();
    view.show(session, 'push', plan);
    await Promise.resolve();
    view.toggle(new Set(['plan/upload/a', 'no such row']));
    expect([...(view.open.value?.ticked ?? [])]).toEqual(['b', 'c']);
    await Promise.resolve();
    view.toggle(new Set(['plan/upload/a', 'plan/delete']));
    expect([...(view.open.value?.ticked ?? [])].sort()).toEqual(['a', 'b']);
  });

  it('lets go of a deploy once, when it is closed or another plan takes its place', () => {
    const view = new PlanView();
    let released = 0;
    const work = {
      apply: () => Promise.resolve(true),
      release: () => {
        released += 1;
      },
      ticked: new Set(['a']),
      notes: new Map([['c', 'only on the platform']]),
    };
    view.showDeploy(session, plan, work);
    expect([...(view.open.value?.ticked ?? [])]).toEqual(['a']);
    view.keepOnly([]);
    expect(released).toBe(0);
    view.show(session, 'push', plan);
    expect(released).toBe(1);
    view.showDeploy(session, plan, work);
    view.close();
    view.close();
    expect(released).toBe(2);
  });

  it('is closed with the sync that it belongs to', () => {
    const view = new PlanView();
    view.show(session, 'pull', plan);
    view.keepOnly([session]);
    expect(view.open.value).toBeDefined();
    view.keepOnly([]);
    expect(view.open.value).toBeUndefined();
  });
});
