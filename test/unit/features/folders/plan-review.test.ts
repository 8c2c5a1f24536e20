import { describe, expect, it } from 'vitest';
import { Store } from '#base/store.ts';
import { describePlanNode, planDocument, planRows } from '#features/folders/plan-review.ts';
import { planSelection, planSummary } from '#features/folders/plan-selection.ts';
import type { OpenPlan, PlanForm, PlanWork } from '#features/folders/plan-view.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import type { Plan, PlanEntry } from '#sync/core/planning/plan.ts';
import { plan, prune, upload } from '#support/plan.ts';

const session = {
  folder: { folderId: 'f', name: 'shop-model' },
  target: { branchName: 'dev-ada-1' },
} as unknown as SyncSession;

function open(more: Partial<OpenPlan> = {}): OpenPlan {
  const direction = more.direction ?? 'push';
  const shown = 'plan' in more ? more.plan : plan;
  const ticked = shown ? planSelection(shown, direction) : new Set<string>();
  const review = Symbol('review');
  return { session, direction, purpose: 'push', plan, ticked, work: undefined, notes: undefined, review, ...more };
}
const outline = (of: OpenPlan): unknown =>
  planDocument(of, []).groups.map(({ label, rows }) => [label, ...rows.map(({ path, kind }) => `${kind} ${path}`)]);

describe('the review of a plan', () => {
  it('shows what could hurt first, and names count and destination on its button', () => {
    const document = planDocument(open(), []);
    expect(outline(open())).toEqual([
      ['Conflicts (Resolve First)', 'conflict model/cubes/users.yml'],
      ['Delete on dev-ada-1', 'delete model/cubes/old.yml'],
      ['Upload', 'change model/cubes/orders.yml'],
    ]);
    expect(document).toMatchObject({
      title: 'Push to dev-ada-1',
      from: 'shop-model',
      to: 'dev-ada-1',
      isProduction: false,
      warnings: [{ id: 'manyDeletesRemote', severity: 'warning', text: 'Many files would be deleted.' }],
      action: { label: 'Push 2 Files to dev-ada-1', whyNot: '' },
    });
    expect(planSummary(plan, 'push', planSelection(plan, 'push'))).toBe('1 file, 1 deletion, 2.0 KB');
  });

  it('shows nothing of the other direction', () => {
    const document = planDocument(open({ direction: 'pull', purpose: 'pull' }), []);
    expect(outline(open({ direction: 'pull', purpose: 'pull' }))).toEqual([
      ['Conflicts (Resolve First)', 'conflict model/cubes/users.yml'],
    ]);
    expect([document.warnings, document.action]).toEqual([
      [],
      { label: 'Pull 0 Files into shop-model', whyNot: 'Tick at least one file.' },
    ]);
  });

  it('says that a deploy reaches production, and what to know of a file', () => {
    const notes = new Map([[prune.path, 'only on the platform']]);
    const document = planDocument(open({ purpose: 'deploy', ticked: new Set([upload.path]), notes }), []);
    expect(document.isProduction).toBe(true);
    expect(document.action.label).toBe('Deploy 1 File to dev-ada-1 (production)');
    expect(document.groups[1]?.rows[0]).toMatchObject({ canTick: true, note: 'only on the platform' });
  });

  it('warns above the files of a deploy about those that links bring into the project', () => {
    const links = new Map([
      ['model/team', { target: '/home/ada/team', leadsTo: 'outside' }],
      ['model/own', { target: '/home/ada/shop/common', leadsTo: 'project' }],
    ] as const);
    const brought = ['model/team/a.yml', 'model/team/b.yml', 'model/own/c.yml'].map((path) => ({ ...upload, path }));
    const deleted: PlanEntry = { ...prune, path: 'model/team/gone.yml' };
    const linked: Plan = { ...plan, entries: [...brought, deleted], guards: [], links };
    const warningsOf = (purpose: OpenPlan['purpose'], ...ticked: string[]): unknown =>
      planDocument(open({ purpose, plan: linked, ticked: new Set(ticked) }), []).warnings.map(({ text }) => text);
    const come =
      '2 files come through links from outside of the project, or from what is never deployed under its own name, such as “model/team/a.yml” from /home/ada/team.';
    const advice = 'ticked: tick only what everyone with access to the deployment may read.';
    expect(warningsOf('deploy', 'model/own/c.yml')).toEqual([`${come} None of them is ${advice}`]);
    expect(warningsOf('deploy', 'model/team/b.yml')).toEqual([`${come} 1 of them is ${advice}`]);
    expect(warningsOf('push', 'model/team/b.yml')).toEqual([]);
  });

  it('asks for the message and the name of a deploy once both sides are compared', () => {
    const form = new Store<PlanForm>({
      message: { label: 'Message', value: 'Deploy shop-model', placeholder: '' },
      confirmation: { label: 'Type “Retail” to confirm', expected: 'Retail' },
      warnings: [{ id: 'protected', severity: 'warning', text: '“master” is protected.' }],
    });
    const work = { form } as unknown as PlanWork;
    const document = planDocument(open({ purpose: 'deploy', work }), []);
    expect([document.message, document.confirmation]).toEqual([form.value.message, form.value.confirmation]);
    expect(document.warnings.map(({ id }) => id)).toEqual(['protected', 'manyDeletesRemote']);
    const comparing = planDocument(open({ purpose: 'deploy', work, plan: undefined }), []);
    expect([comparing.message, comparing.confirmation, comparing.warnings]).toEqual([undefined, undefined, []]);
  });

  it('cannot be carried out while sides are compared, or against a guard that cannot be confirmed', () => {
    const comparing = planDocument(open({ plan: undefined }), []);
    expect([comparing.busy, comparing.groups]).toEqual(['Comparing with dev-ada-1…', []]);
    const guards = [
      { kind: 'rootMissing', blocks: 'both', confirmable: false, message: 'The folder is gone.' },
    ] as const;
    const held = planDocument(open({ plan: { ...plan, guards } }), []);
    expect(held.action.whyNot).toBe('The folder is gone.');
    expect(held.warnings).toMatchObject([{ severity: 'error' }]);
  });

  it('keeps its rows while only ticks change', () => {
    const [before, after] = [planDocument(open(), []), planDocument(open({ ticked: new Set() }), [])];
    expect(after.groups).toBe(before.groups);
    expect(planDocument(open({ plan: { ...plan } }), []).groups).not.toBe(before.groups);
  });

  it('says why a file stays out, and how a renamed one changed', () => {
    const entries: readonly PlanEntry[] = [
      { kind: 'frozen', path: 'a', side: 'local', reason: 'tooBig' },
      { kind: 'renameRemote', from: 'b', path: 'c', hash: 'h', size: 1, edited: { hash: 'i', size: 2 } },
      { kind: 'upload', path: 'd', reason: 'restored', hash: 'h', size: 1, expectedRemote: undefined },
    ];
    const { groups } = planDocument(open({ plan: { ...plan, entries, guards: [] } }), []);
    expect(groups.flatMap(({ rows }) => rows)).toEqual([
      { id: 'd', path: 'd', kind: 'change', canTick: true, size: 1, note: 'deleted on the other side' },
      { id: 'c', path: 'c', kind: 'rename', canTick: true, from: 'b', size: 1, note: 'and modified' },
      { id: 'a', path: 'a', kind: 'none', canTick: false, note: 'too big' },
    ]);
    expect(groups.at(-1)).toMatchObject({ label: 'Not Synced', startsClosed: true });
  });
});

describe('the row of the open plan', () => {
  it('has the text of the page’s button, and leads there', () => {
    const [row] = planRows(open());
    expect(row && describePlanNode(row)).toMatchObject({
      label: 'Push 2 Files to dev-ada-1',
      description: 'under review · 1 file, 1 deletion, 2.0 KB',
      command: { id: 'modelbench.plan.show' },
      spoken: 'Push 2 Files to dev-ada-1, under review, 1 file, 1 deletion, 2.0 KB',
    });
  });

  it('says that both sides are compared, and is not there without a plan', () => {
    const rows = planRows(open({ plan: undefined })).map(describePlanNode);
    expect(rows.map(({ label, icon }) => [label, icon?.id])).toEqual([['Comparing with dev-ada-1…', 'loading~spin']]);
    expect(planRows(undefined)).toEqual([]);
  });
});
