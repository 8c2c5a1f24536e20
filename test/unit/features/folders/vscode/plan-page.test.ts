import { describe, expect, it } from 'vitest';
import { planPage } from '#features/folders/vscode/plan-page.ts';
import { DisposableStore } from '#base/disposable.ts';
import { Store } from '#base/store.ts';
import { PlanView } from '#features/folders/plan-view.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import type { PlanPageDeps } from '#features/folders/vscode/deps.ts';
import { ReviewSession } from '#features/review/review-session.ts';
import type { ReviewSource } from '#features/review/source.ts';
import type { Plan } from '#sync/core/planning/plan.ts';
import { plan, upload } from '#support/plan.ts';
import { yaml } from '#support/language/raw.ts';

const remote = new TextEncoder().encode(yaml`
  cubes:
    - name: old
`);

function sessionWith(status: Store<{ readonly plan: Plan | undefined }>): SyncSession {
  const sync = { status, remoteContent: () => Promise.resolve(remote) };
  const folder = { folderId: 'file:///f', name: 'shop-model' };
  return { folder, target: { branchName: 'dev-ada-1' }, sync } as unknown as SyncSession;
}

/** A page of plans; a tab for each review that is open, as the window has it. */
function open() {
  const view = new PlanView();
  const store = new DisposableStore();
  const tabs = new Set<ReviewSession>();
  const sources: ReviewSource[] = [];
  const deps = {
    plan: view,
    boundary: (_: string, error: unknown) => Promise.reject(error),
    builds: { stateOf: () => undefined },
    model: {
      ofFile: () => Promise.resolve(['removed cube old']),
      ofFiles: (before: ReadonlyMap<string, string>) =>
        Promise.resolve({ summary: `read ${[...before.keys()].join()}`, lines: [] }),
    },
    reviews: {
      open: (source: ReviewSource) => {
        if (sources.at(-1) === source && tabs.size > 0) return Promise.resolve();
        sources.push(source);
        let isOver = false;
        const session = new ReviewSession(source, {
          accounts: new Store<readonly { readonly id: string }[]>([]),
          post: () => undefined,
          ask: () => Promise.resolve(),
          end: () => {
            isOver = true;
            tabs.delete(session);
            session.dispose();
          },
        });
        if (!isOver) tabs.add(session);
        return Promise.resolve();
      },
    },
  } as unknown as PlanPageDeps;
  void planPage(deps).register(store);
  return { view, tabs, sources, session: sessionWith(new Store({ plan: undefined as Plan | undefined })) };
}

describe('the page of the open plan', () => {
  it('opens with each plan, follows it, and closes with it', async () => {
    const { view, tabs, sources, session } = open();
    for (const round of [1, 2, 3]) {
      view.show(session, 'push', plan);
      view.reveal();
      await expect.poll(() => [tabs.size, sources.length]).toEqual([1, round]);
      sources.at(-1)?.tick([upload.path], round % 2 === 0);
      await expect.poll(() => sources.at(-1)?.document.value?.ticked.has(upload.path)).toBe(round % 2 === 0);
      view.close();
      await expect.poll(() => [tabs.size, view.open.value]).toEqual([0, undefined]);
    }
  });

  it('stays open while one plan takes the place of another', async () => {
    const { view, tabs, sources, session } = open();
    view.compare(session, 'push');
    view.reveal();
    await expect.poll(() => sources[0]?.document.value?.busy).toBe('Comparing with dev-ada-1…');
    view.show(session, 'push', plan);
    view.reveal();
    view.show(session, 'pull', plan);
    await expect.poll(() => sources[0]?.document.value?.title).toBe('Pull from dev-ada-1');
    expect([tabs.size, sources.length]).toEqual([1, 1]);
  });

  it('closes the plan when its tab is closed, and shows both texts of a file', async () => {
    const { view, tabs, sources, session } = open();
    view.show(session, 'push', plan);
    view.reveal();
    await expect.poll(() => tabs.size).toBe(1);
    expect(await sources[0]?.texts('model/cubes/old.yml')).toEqual({
      before: yaml`
        cubes:
          - name: old
      `,
      after: undefined,
      changes: ['removed cube old'],
    });
    await expect
      .poll(() => sources[0]?.document.value?.sections.map(({ title, summary }) => [title, summary]))
      .toContainEqual(['What changes', expect.stringMatching(/^read model.cubes.old.yml/)]);
    for (const tab of tabs) tab.dispose();
    expect(view.open.value).toBeUndefined();
  });
});
