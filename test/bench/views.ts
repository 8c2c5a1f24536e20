import type { Branch } from '#features/platform/branches.ts';
import type { Account } from '#features/accounts/accounts.ts';
import type { Deployment } from '#features/platform/deployments.ts';
import { deploymentTree } from '#features/deployments/deployment-tree.ts';
import { type WorkspaceNode, workspaceTree } from '#features/workspace/workspace-tree.ts';
import type { Paged, WorkspaceItem } from '#features/platform/workspace-items.ts';
import { appendPage } from '#features/platform/workspace-lists.ts';
import { branchTree } from '#features/branches/branch-tree.ts';
import { changeTree } from '#features/changes/change-tree.ts';
import type { ChangeTreeInput } from '#features/changes/change-nodes.ts';
import { planDocument } from '#features/folders/plan-review.ts';
import { planSelection } from '#features/folders/plan-selection.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { changedNodes } from '#shell/tree-diff.ts';
import { statusWith } from '#support/sync/status.ts';
import type { Plan, PlanEntry } from '#sync/core/planning/plan.ts';
import { branchInput } from '#support/branch-tree.ts';
import { type Bench, type Figure, median } from './figures.ts';
import { logFigures } from './views/log.ts';

const branches = (count: number, moved: number): readonly Branch[] =>
  Array.from({ length: count }, (_, index) => ({
    name: index === 0 ? 'main' : `feature/branch-${index}`,
    parentBranch: index === 0 ? undefined : 'main',
    lastHash: index === moved ? 'b'.repeat(40) : 'a'.repeat(40),
    staging: index % 100 === 0,
  }));

const entries = (count: number): readonly PlanEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    kind: 'upload',
    path: `model/cubes/folder-${index % 100}/cube-${index}.yml`,
    reason: 'changed',
    hash: 'a',
    size: 4096,
    expectedRemote: 'b',
  }));

/** What the host spends on views after an answer is there (issue of the branches view: 5,000 branches, 100 k changes). */
export const run: Bench = async ({ quick }) => {
  const rounds = quick ? 5 : 25;
  const before = branchTree(branchInput(branches(5000, -1)));
  const refresh = timed(rounds, () => changedNodes(before, branchTree(branchInput(branches(5000, 4000)))));
  const same = changedNodes(before, branchTree(branchInput(branches(5000, -1))));
  const list = entries(100_000);
  const plan: Plan = { target: 't', generation: 1, time: 0, entries: list, guards: [], unchanged: 0 };
  const changes = timed(rounds, () => changeTree([changeInput(plan, list)]));
  const shown = timed(rounds, () =>
    planDocument(
      {
        session: { folder: { name: 'f' }, target: { branchName: 'dev' } } as unknown as SyncSession,
        direction: 'push',
        purpose: 'push',
        // Another plan each time: the rows of one are made once.
        plan: { ...plan },
        ticked: planSelection(plan, 'push'),
        work: undefined,
        notes: undefined,
        review: Symbol('bench'),
      },
      [],
    ),
  );
  return [
    ...(await logFigures(quick)),
    ...workspaceFigures(rounds),
    ...deploymentFigures(rounds),
    { id: '5,000 branches refreshed, one moved', value: refresh, unit: 'ms', reach: 50, ok: refresh <= 50 },
    {
      id: 'tree events of a refresh without change',
      value: same.length,
      unit: 'events',
      reach: 0,
      ok: same.length === 0,
    },
    { id: '100 k changes grouped', value: changes, unit: 'ms', reach: 300, ok: changes <= 300 },
    { id: 'plan of 100 k files', value: shown, unit: 'ms', reach: 300, ok: shown <= 300 },
  ];
};

/** A workspace of 10,000 reports, to its end: what the last page costs, and whether a page brings more than itself. */
function workspaceFigures(rounds: number): readonly Figure[] {
  const [all, size] = [10_000, 50];
  const items = (from: number): readonly WorkspaceItem[] =>
    Array.from({ length: size }, (_, index) => ({
      type: 'REPORT',
      id: String(from + index),
      name: `Report ${from + index}`,
      folderPath: ['Sales'],
      canEdit: true,
      canManage: false,
    }));
  const page = (from: number): Paged<WorkspaceItem> => ({
    items: items(from),
    next: from + size < all ? String(from + size) : undefined,
  });
  const tree = (list: Paged<WorkspaceItem>): readonly WorkspaceNode[] =>
    workspaceTree({
      accountId: 'a',
      deploymentId: '1',
      favourites: items(0),
      order: undefined,
      folders: { list: undefined, error: undefined },
      reports: { list, error: undefined },
      workbooks: undefined,
      contents: () => undefined,
    });
  const first = timed(rounds, () => tree(page(0)));
  let list = page(0);
  for (let from = size; from < all - size; from += size) list = appendPage(list, page(from));
  const before = tree(list);
  const last = timed(rounds, () => changedNodes(before, tree(appendPage(list, page(all - size)))));
  return [
    { id: 'workspace: first page shown', value: first, unit: 'ms', reach: 100, ok: first <= 100 },
    { id: 'workspace: page 200 of 10,000 items shown', value: last, unit: 'ms', reach: 100, ok: last <= 100 },
  ];
}

function deploymentFigures(rounds: number): readonly Figure[] {
  const account: Account = { id: 'a', tenantUrl: 'https://a.example', label: 'a', source: 'stored' };
  const deployments: readonly Deployment[] = Array.from({ length: 1000 }, (_, index) => ({
    id: String(index),
    name: `Deployment ${index}`,
  }));
  const value = timed(rounds, () =>
    deploymentTree({
      offline: false,
      accounts: [{ account, refused: false, deployments: deployments, error: undefined }],
      details: () => undefined,
      active: undefined,
      isLinked: () => false,
    }),
  );
  return [{ id: '1,000 deployments shown', value, unit: 'ms', reach: 100, ok: value <= 100 }];
}

function changeInput(plan: Plan, localChanges: readonly PlanEntry[]): ChangeTreeInput {
  const status = statusWith({ plan, localChanges });
  return { folderId: 'f', name: 'f', branch: 'dev-a', problem: undefined, status };
}

/** Milliseconds of one run, the middle of several. */
function timed(rounds: number, work: () => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return median(times);
}
