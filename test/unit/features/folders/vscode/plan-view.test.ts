import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Store } from '#base/store.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import type { ReviewInput } from '#features/review/messages.ts';
import { MemoryState } from '#support/memory-state.ts';
import type { Plan, PlanEntry } from '#sync/core/planning/plan.ts';
import { type PlanForm, PlanView } from '#features/folders/plan-view.ts';

const upload = (path: string): PlanEntry => ({
  kind: 'upload',
  path,
  reason: 'changed',
  hash: 'h',
  size: 1,
  expectedRemote: 'o',
});
const deletion = (path: string, expectedRemote = 'o'): PlanEntry => ({
  kind: 'deleteRemote',
  path,
  expectedRemote,
  size: 1,
});
const plan: Plan = {
  target: 't',
  generation: 1,
  time: 0,
  entries: [upload('a'), upload('b'), { kind: 'deleteRemote', path: 'c', expectedRemote: 'o', size: 1 }],
  guards: [],
  unchanged: 0,
};
type Status = Store<{ readonly plan: Plan | undefined }>;
const statusOf = (shown: Plan | undefined): Status => new Store({ plan: shown });

/** A session whose status holds the plan that the test sets. */
function sessionWith(status: Status): SyncSession {
  return { folder: { folderId: 'f' }, target: { branchName: 'dev-ada-1' }, sync: { status } } as unknown as SyncSession;
}
const session = sessionWith(statusOf(undefined));

const form = new Store<PlanForm>({ warnings: [] });
const noDraft = { form, keep: () => undefined };

describe('the plan that waits for ticks', () => {
  it('says that it is being made, then has its files', () => {
    const view = new PlanView();
    view.compare(session, 'push');
    expect(view.open.value).toMatchObject({ plan: undefined, direction: 'push' });
    view.tick(['a'], false);
    view.show(session, 'push', plan);
    expect([...(view.open.value?.ticked ?? [])]).toEqual(['a', 'b', 'c']);
    view.close();
    expect(view.open.value).toBeUndefined();
  });

  it('ticks and unticks what it would transfer, and nothing else', () => {
    const view = new PlanView();
    view.show(session, 'push', plan);
    view.tick(['a', 'c', 'no such row'], false);
    expect([...(view.open.value?.ticked ?? [])]).toEqual(['b']);
    view.tick(['a', 'no such row'], true);
    expect([...(view.open.value?.ticked ?? [])].sort()).toEqual(['a', 'b']);
  });

  it('reports that a user is to see it', () => {
    const view = new PlanView();
    let asked = 0;
    view.onDidReveal(() => (asked += 1));
    view.reveal();
    expect(asked).toBe(1);
  });

  it('lets go of a deploy once, when it is closed or another plan takes its place', () => {
    const view = new PlanView();
    let released = 0;
    const work = {
      ...noDraft,
      apply: () => Promise.resolve(true),
      release: () => {
        released += 1;
      },
      planOf: (compared: Plan) => ({
        plan: compared,
        ticked: new Set(['a']),
        notes: new Map([['c', 'only on the platform']]),
      }),
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

  it('hands a deploy what is ticked and what was filled in, and stays where that was not sent', async () => {
    const view = new PlanView();
    const sent: unknown[] = [];
    let isSent = false;
    const work = {
      ...noDraft,
      apply: (_plan: Plan, selection: ReadonlySet<string>, { message, typed }: ReviewInput) => {
        sent.push([[...selection], message, typed]);
        return Promise.resolve(isSent);
      },
      release: () => undefined,
      planOf: (compared: Plan) => ({ plan: compared, ticked: new Set(['a', 'c']), notes: new Map<string, string>() }),
    };
    view.showDeploy(session, plan, work);
    await view.applyWork({ message: 'Areas', options: [], typed: 'Retail' });
    expect(view.open.value).toBeDefined();
    isSent = true;
    await view.applyWork({ message: 'Areas', options: [], typed: 'Retail forecasts' });
    expect(view.open.value).toBeUndefined();
    expect(sent).toEqual([
      [['a', 'c'], 'Areas', 'Retail'],
      [['a', 'c'], 'Areas', 'Retail forecasts'],
    ]);
  });

  it('asks again about a deletion that was deployed, where the same version comes back', async () => {
    const view = new PlanView();
    const work = {
      ...noDraft,
      apply: () => Promise.resolve(true),
      release: () => undefined,
      // As a deploy offers them: uploads are ticked, deletions are not.
      planOf: (compared: Plan) => ({ plan: compared, ticked: new Set(['a']), notes: new Map<string, string>() }),
    };
    const ticked = (): readonly string[] => [...(view.open.value?.ticked ?? [])].toSorted();
    view.showDeploy(session, plan, work);
    view.tick(['c'], true);
    view.tick(['a'], false);
    expect(ticked()).toEqual(['c']);
    await view.applyWork({ message: '', options: [], typed: '' });
    view.showDeploy(session, plan, work);
    expect(ticked()).toEqual([]);
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

describe('an open plan', () => {
  const rows = (view: PlanView): readonly string[] =>
    view.open.value?.plan?.entries.map(({ kind, path }) => `${kind === 'upload' ? 'upload' : 'delete'}/${path}`) ?? [];

  it('follows every change of what it shows, with the ticks of the user and without a new review', async () => {
    const status = statusOf(plan);
    const view = new PlanView();
    view.show(sessionWith(status), 'push', plan);
    await Promise.resolve();
    view.tick(['b'], false);
    const { review } = view.open.value ?? {};
    // A file is discarded, another one saved, and one more deletion comes up.
    const next = { ...plan, generation: 2, entries: [upload('b'), upload('d'), deletion('c'), deletion('e')] };
    status.set({ plan: next });
    await Promise.resolve();
    expect(rows(view)).toEqual(['upload/b', 'upload/d', 'delete/c', 'delete/e']);
    expect(view.open.value).toMatchObject({ plan: next, review });
    expect([...(view.open.value?.ticked ?? [])]).toEqual(['d', 'c']);
    view.close();
    status.set({ plan });
    expect(view.open.value).toBeUndefined();
  });

  it('is closed when nothing is left to do, and never shows what was outdated before', async () => {
    const status = statusOf({ ...plan, entries: [upload('a')] });
    const view = new PlanView();
    view.show(sessionWith(status), 'push', plan);
    await Promise.resolve();
    expect(rows(view)).toEqual(['upload/a']);
    status.set({ plan: { ...plan, entries: [] } });
    expect(view.open.value).toBeUndefined();
  });

  it('follows one session only', () => {
    const [one, other] = [statusOf(plan), statusOf(plan)];
    const view = new PlanView();
    view.show(sessionWith(one), 'push', plan);
    view.show(sessionWith(other), 'push', plan);
    one.set({ plan: { ...plan, entries: [] } });
    expect(view.open.value?.plan).toBe(plan);
  });

  it('follows saves for a deploy, keeps what the user unticked, and ticks no new deletion', async () => {
    const status = statusOf(plan);
    const view = new PlanView();
    let released = 0;
    const work = {
      ...noDraft,
      apply: () => Promise.resolve(true),
      release: () => void (released += 1),
      planOf: (compared: Plan) => ({
        plan: compared,
        ticked: new Set(compared.entries.map(({ path }) => path)),
        notes: new Map<string, string>(),
      }),
    };
    view.showDeploy(sessionWith(status), plan, work);
    await Promise.resolve();
    view.tick(['b'], false);
    const { review } = view.open.value ?? {};
    const changed: Plan = {
      ...plan,
      entries: [{ ...upload('a'), size: 7 } as PlanEntry, upload('b'), deletion('c'), upload('d'), deletion('e')],
    };
    status.set({ plan: changed });
    expect(view.open.value).toMatchObject({ plan: changed, review, work });
    expect([...(view.open.value?.ticked ?? [])].toSorted()).toEqual(['a', 'c', 'd']);
    expect(released).toBe(0);
    // Someone else deployed just that.
    status.set({ plan: { ...plan, entries: [] } });
    expect([view.open.value, released]).toEqual([undefined, 1]);
  });
});

describe('ticks', () => {
  const later = (more: Partial<Plan>): Plan => ({ ...plan, generation: 7, time: 9, ...more });
  const ticked = (view: PlanView): readonly string[] => [...(view.open.value?.ticked ?? [])].toSorted();

  it('stay as the user left them in a plan of a later generation, and after a part of it was pushed', async () => {
    const view = new PlanView();
    view.show(session, 'push', plan);
    await Promise.resolve();
    view.tick(['c', 'b'], false);
    view.show(session, 'push', later({}));
    expect(ticked(view)).toEqual(['a']);
    view.show(session, 'push', later({ entries: plan.entries.slice(1) }));
    expect(ticked(view)).toEqual([]);
    view.close();
    view.compare(session, 'push');
    view.show(session, 'push', later({}));
    expect(ticked(view)).toEqual(['a']);
  });

  it('are made again for a change that is another one now', async () => {
    const view = new PlanView();
    view.show(session, 'push', plan);
    await Promise.resolve();
    view.tick(['c', 'b'], false);
    const other = [{ ...upload('b'), hash: 'newer' } as PlanEntry, deletion('c', 'newer')];
    view.close();
    view.show(session, 'push', later({ entries: other }));
    expect(ticked(view)).toEqual(['b', 'c']);
  });

  it('are not set for a deletion that comes up while the plan is being reviewed', () => {
    const view = new PlanView();
    view.show(session, 'push', plan);
    view.show(session, 'push', later({ entries: [...plan.entries, deletion('d'), upload('e')] }));
    expect(ticked(view)).toEqual(['a', 'b', 'c', 'e']);
    // Once it was shown it stays as it is until the user ticks it.
    view.show(session, 'push', later({ entries: [...plan.entries, deletion('d'), upload('e')] }));
    view.close();
    view.show(session, 'push', later({ entries: [...plan.entries, deletion('d')] }));
    expect(ticked(view)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are separate for each direction and branch', async () => {
    const view = new PlanView();
    view.show(session, 'push', plan);
    await Promise.resolve();
    view.tick(['c'], false);
    view.show(session, 'push', later({ target: 'other' }));
    expect(ticked(view)).toEqual(['a', 'b', 'c']);
  });

  it('survive any sequence of plans: what was unticked is ticked by the user only', async () => {
    const paths = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd'), { minLength: 1 });
    const all = [upload('a'), upload('b'), deletion('c'), deletion('d')];
    await fc.assert(
      fc.asyncProperty(paths, fc.array(paths, { maxLength: 6 }), fc.boolean(), async (unticked, plans, closes) => {
        const view = new PlanView();
        view.show(session, 'push', later({ entries: all }));
        await Promise.resolve();
        view.tick(unticked, false);
        for (const present of plans) {
          if (closes) view.close();
          const entries = all.filter(({ path }) => present.includes(path));
          view.show(session, 'push', later({ entries, generation: entries.length }));
          expect(ticked(view).filter((path) => unticked.includes(path))).toEqual([]);
        }
      }),
    );
  });
});

describe('ticks after the window was reloaded', () => {
  const ticked = (view: PlanView): readonly string[] => [...(view.open.value?.ticked ?? [])].toSorted();
  const shown = (state: MemoryState, entries: readonly PlanEntry[] = plan.entries): PlanView => {
    const view = new PlanView(state);
    view.show(session, 'push', { ...plan, entries });
    return view;
  };

  it('are as the user left them while the plan is the same', () => {
    const state = new MemoryState();
    const before = shown(state);
    before.tick(['a', 'c'], false);
    before.tick(['c'], true);
    before.dispose();
    expect(ticked(shown(state))).toEqual(['b', 'c']);
    // In another direction and on another branch, nothing was decided.
    const other = new PlanView(state);
    other.show(session, 'push', { ...plan, target: 'other' });
    expect(ticked(other)).toEqual(['a', 'b', 'c']);
  });

  it('leave a file unticked that was unticked and has changed since, until the user ticks it', () => {
    const state = new MemoryState();
    shown(state).tick(['a'], false);
    const changed = { ...upload('a'), hash: 'newer' } as PlanEntry;
    const view = shown(state, [changed, upload('b')]);
    expect(ticked(view)).toEqual(['b']);
    view.tick(['a'], true);
    expect(ticked(shown(state, [changed, upload('b')]))).toEqual(['a', 'b']);
  });

  it('do not tick a change that the user has not seen', () => {
    const state = new MemoryState();
    const offered = (view: PlanView, hash: string): readonly string[] => {
      const work = {
        ...noDraft,
        apply: () => Promise.resolve(true),
        release: () => undefined,
        planOf: (compared: Plan) => ({ plan: compared, ticked: new Set<string>(), notes: new Map([['x', 'y']]) }),
      };
      view.showDeploy(session, { ...plan, entries: [{ ...upload('linked'), hash } as PlanEntry] }, work);
      return ticked(view);
    };
    const view = new PlanView(state);
    expect(offered(view, 'one')).toEqual([]);
    view.tick(['linked'], true);
    view.dispose();
    expect(offered(new PlanView(state), 'one')).toEqual(['linked']);
    expect(offered(new PlanView(state), 'two')).toEqual([]);
  });

  it('end with a review that ended: a deletion that was ticked for it is not ticked in the next one', () => {
    const state = new MemoryState();
    const before = shown(state);
    before.tick(['c'], false);
    before.tick(['c'], true);
    before.close();
    expect(JSON.stringify(state.get('planTicks'))).toBe('[]');
  });

  it('start afresh where another version stored something else', () => {
    const state = new MemoryState();
    void state.set('planTicks', [['a', 7]]);
    expect(ticked(shown(state))).toEqual(['a', 'b', 'c']);
  });
});
