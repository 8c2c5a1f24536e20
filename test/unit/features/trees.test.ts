import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Branch } from '#features/branches.ts';
import { branchTree, type BranchTreeInput, describeBranchesNode } from '#features/trees/branch-tree.ts';
import { changeTree, changeWords, describeChangesNode } from '#features/trees/change-tree.ts';
import { type AccountInput, deploymentTree, describeDeploymentsNode } from '#features/trees/deployment-tree.ts';
import {
  comparingTree,
  describePlanNode,
  pathsOfGroup,
  planSelection,
  planSummary,
  planTree,
} from '#features/trees/plan-tree.ts';
import { changedNodes } from '#features/trees/tree-diff.ts';
import type { TreeNode } from '#features/trees/tree-item.ts';
import type { SyncStatus } from '#sync/folder-sync.ts';
import type { Plan, PlanEntry } from '#sync/plan.ts';
import { drawn } from '#support/drawn-tree.ts';

const branch = (name: string, parentBranch?: string, extra: Partial<Branch> = {}): Branch => ({
  name,
  parentBranch,
  lastHash: 'a32b361ffff',
  staging: false,
  ...extra,
});

const branchInput: BranchTreeInput = {
  accountId: 'a',
  deploymentId: '1',
  branches: [
    branch('main'),
    branch('returns', 'main', { staging: true }),
    branch('dev-ada-2', 'main'),
    branch('dev-ada-1', 'main'),
    branch('dev-bob-1', 'main'),
  ],
  error: undefined,
  mine: new Set(['dev-ada-1', 'dev-ada-2']),
  active: 'dev-ada-2',
  builds: new Map([['dev-ada-2', { phase: 'failed', errorText: 'orders cube: no', at: 0 }]]),
  isProtected: (name) => name === 'main',
  filter: '',
};

describe('branches tree', () => {
  it('groups, orders and marks branches', () => {
    expect(drawn(branchTree(branchInput), describeBranchesNode)).toEqual([
      'Deploy Branch [group.deploy]',
      '  main (a32b361) [branch.deploy]',
      'Shared Branches (1) [group.shared]',
      '  returns (staging · a32b361) [branch.shared.stagingOn]',
      'My Dev Branches (2) [group.mine]',
      '  dev-ada-2 (active · a32b361 · build failed) [branch.mine.active.failed]',
      '  dev-ada-1 (a32b361) [branch.mine]',
      'Others’ Dev Branches (1) [group.others]',
      '  dev-bob-1 (a32b361) [branch.others]',
    ]);
  });

  it('shows a failure above what is still known', () => {
    const [first] = branchTree({ ...branchInput, error: 'The platform cannot be reached.' });
    expect(first).toMatchObject({ kind: 'failure', message: 'The platform cannot be reached.', retry: 'branches' });
  });

  it('filters by name', () => {
    expect(drawn(branchTree({ ...branchInput, filter: 'BOB' }), describeBranchesNode)).toHaveLength(2);
  });

  it('speaks of each branch in words', () => {
    const node = branchTree(branchInput).flatMap((group) => group.children ?? [])[1];
    expect(node && describeBranchesNode(node as never).spoken).toBe('returns, shared branch, staging, a32b361');
  });
});

describe('deployments tree', () => {
  const account = { id: 'a', tenantUrl: 'https://acme.test', label: 'acme.test', source: 'stored' } as const;
  const environment = {
    id: '9',
    name: 'Production',
    type: 'production',
    restUrl: 'https://acme.test/v1',
    sqlHost: 'sql.acme.test',
    sqlPort: 5432,
  };
  const input = {
    offline: false,
    accounts: [{ account, refused: false, deployments: [{ id: '1', name: 'Shop' }], error: undefined }],
    details: () => ({
      environments: [environment],
      versions: [{ version: '1.7.43', channel: 'stable', isCurrent: true, isLatestInChannel: false }],
      deployBuild: { branchName: 'main', build: { phase: 'built', errorText: undefined, at: 0 } as const },
      error: undefined,
    }),
    active: { accountId: 'a', deploymentId: '1' },
    isLinked: () => true,
  };

  it('shows build, version and the addresses to copy', () => {
    expect(drawn(deploymentTree(input), describeDeploymentsNode)).toEqual([
      'Shop (active · linked · #1) [deployment.active]',
      '  Production built (main) [build]',
      '  Version 1.7.43 (newer one available · channel stable) [version]',
      '  Production [environment]',
      '    REST API (https://acme.test/v1) [endpoint.copy]',
      '    SQL API (sql.acme.test:5432) [endpoint.copy]',
      '    SQL connection (postgresql://sql.acme.test:5432/db) [endpoint.copy]',
    ]);
  });

  it('says that the key is refused while what was asked with it is held', () => {
    const held = { account, refused: true, deployments: undefined, error: undefined };
    expect(drawn(deploymentTree({ ...input, accounts: [held] }), describeDeploymentsNode)).toEqual([
      'The platform does not accept this key any more. Sign in again. [failure]',
    ]);
  });

  it('leaves it to the empty view to say that nothing can be reached, unless there are several accounts', () => {
    const unreached = { account, refused: false, deployments: undefined, error: 'acme.test could not be reached.' };
    const other = { ...unreached, account: { ...account, id: 'b', label: 'globex.test' } };
    const of = (...accounts: readonly AccountInput[]) =>
      drawn(deploymentTree({ ...input, offline: true, accounts }), describeDeploymentsNode);
    expect(of(unreached)).toEqual([]);
    expect(of(unreached, other)).toContain('  acme.test could not be reached. [failure]');
  });

  it('adds a level for several accounts and says whose key was refused', () => {
    const other = { ...account, id: 'b', label: 'globex.test', source: 'environment' } as const;
    const [entry] = input.accounts;
    const accounts = [entry ?? never(), { account: other, refused: true, deployments: undefined, error: 'No.' }];
    const lines = drawn(deploymentTree({ ...input, accounts, details: () => undefined }), describeDeploymentsNode);
    expect(lines).toEqual([
      'acme.test [account.stored]',
      '  Shop (active · linked · #1) [deployment.active]',
      'globex.test (key refused: sign in again) [account.environment]',
      '  No. [failure]',
    ]);
  });
});

const upload: PlanEntry = {
  kind: 'upload',
  path: 'model/cubes/orders.yml',
  reason: 'changed',
  hash: 'a',
  size: 2048,
  expectedRemote: 'b',
};
const prune: PlanEntry = { kind: 'deleteRemote', path: 'model/cubes/old.yml', expectedRemote: 'c', size: 10 };
const conflict: PlanEntry = {
  kind: 'conflict',
  path: 'model/cubes/users.yml',
  reason: 'bothChanged',
  base: 'a',
  local: 'b',
  remote: 'c',
  size: 5,
  eolOnly: false,
};
const plan: Plan = {
  target: 't',
  generation: 1,
  time: 0,
  entries: [conflict, prune, upload],
  guards: [{ kind: 'manyDeletesRemote', blocks: 'push', confirmable: true, message: 'Many files would be deleted.' }],
  unchanged: 3,
};

describe('plan tree', () => {
  it('puts conflicts and deletions first and ticks what the direction carries out', () => {
    const ticked = planSelection(plan, 'push');
    expect([...ticked].sort()).toEqual(['model/cubes/old.yml', 'model/cubes/orders.yml']);
    expect(drawn(planTree({ folderId: 'f', direction: 'push', plan, ticked }), describePlanNode)).toEqual([
      'Many files would be deleted. [plan.guard]',
      'Conflicts (resolve first) (1) [plan.group.conflict]',
      '  users.yml (changed on both sides · model/cubes) [plan.file.conflict]',
      'Delete on the Platform (1) [plan.group.delete]',
      '  old.yml (deleted · model/cubes) [plan.file.deleteRemote]',
      'Upload (1 · 2.0 KB) [plan.group.upload]',
      '  orders.yml (modified · 2.0 KB · model/cubes) [plan.file.upload]',
    ]);
    expect(planSummary(plan, 'push', ticked)).toBe('1 file, 1 deletion, 2.0 KB');
  });

  it('shows nothing of the other direction', () => {
    const lines = drawn(planTree({ folderId: 'f', direction: 'pull', plan, ticked: new Set() }), describePlanNode);
    expect(lines.join()).not.toContain('orders.yml');
    expect(lines.join()).not.toContain('Many files');
  });
});

describe('large plans', () => {
  const many = (kind: 'upload' | 'delete'): Plan => ({
    ...plan,
    guards: [],
    entries: Array.from({ length: 2500 }, (_, index) =>
      kind === 'upload' ? { ...upload, path: `m/${index}` } : { ...prune, path: `m/${index}` },
    ),
  });

  it('draws every deletion, and counts what it does not draw of the rest', () => {
    const rows = (of: Plan): number =>
      planTree({ folderId: 'f', direction: 'push', plan: of, ticked: new Set() })[0]?.children?.length ?? 0;
    expect(rows(many('delete'))).toBe(2500);
    expect(rows(many('upload'))).toBe(2001);
  });

  it('lets a group’s tick stand for all of it', () => {
    expect(pathsOfGroup(many('upload'), 'push', 'upload')).toHaveLength(2500);
    expect(pathsOfGroup(many('upload'), 'push', 'delete')).toHaveLength(0);
  });
});

describe('changes tree', () => {
  const status: SyncStatus = {
    phase: 'idle',
    paused: [],
    plan,
    localChanges: [upload, prune],
    remoteChanges: [],
    conflicts: [conflict],
    frozen: [{ kind: 'frozen', path: 'model/x', side: 'local', reason: 'symlink' }],
    waiting: 0,
    lastChecked: 1,
    lastSynced: undefined,
    error: undefined,
  };
  const folder = { folderId: 'f', name: 'shop', branch: 'dev-ada-1', problem: undefined, status };

  it('groups by what a person has to do', () => {
    expect(drawn(changeTree([folder]), describeChangesNode)).toEqual([
      'Many files would be deleted. [notice]',
      'Conflicts (1) [changes.conflicts]',
      '  users.yml (changed on both sides · model/cubes) [change.conflicts.conflict]',
      'Local Changes (2) [changes.local]',
      '  orders.yml (modified · model/cubes) [change.local.upload]',
      '  old.yml (deleted · model/cubes) [change.local.deleteRemote]',
      'Left Alone (1) [changes.frozen]',
      '  x (symbolic link · model) [change.frozen.frozen]',
    ]);
  });

  it('adds a level for several folders and shows a broken link', () => {
    const broken = { folderId: 'g', name: 'old', branch: undefined, problem: 'Not JSON.', status: undefined };
    const nodes = changeTree([folder, broken]);
    expect(nodes.map(({ kind }) => kind)).toEqual(['link', 'link']);
    expect(drawn(nodes, describeChangesNode)).toContain('  Not JSON. [failure]');
  });

  it.each([
    [{ phase: 'offline', waiting: 2 }, 'Offline: 2 saved files will go to the platform when it can be reached again.'],
    [{ phase: 'readOnly' }, 'Another window sends this folder’s files; this one only looks.'],
    [{ phase: 'paused', paused: ['gitCheckout'] }, 'Paused while Git changes files here; push when it is done.'],
  ] as const)('says why nothing moves: %j', (change, words) => {
    const nodes = changeTree([{ ...folder, status: { ...status, ...change } }]);
    expect(nodes[0]).toMatchObject({ kind: 'notice', message: words });
  });

  it('says that both sides are being compared before it says that nothing changed', () => {
    const unknown = { ...status, plan: undefined, localChanges: [], conflicts: [], frozen: [], lastChecked: undefined };
    const notices = (nodes: ReturnType<typeof changeTree>): unknown[] =>
      nodes.map((node) => describeChangesNode(node).label);
    expect(notices(changeTree([{ ...folder, status: { ...unknown, phase: 'checking' } }]))).toEqual([
      'Comparing with dev-ada-1…',
    ]);
    const opening = { ...folder, branch: undefined, status: undefined, opening: 'dev-ada-1' };
    expect(notices(changeTree([opening]))).toEqual(['Comparing with dev-ada-1…']);
    expect(changeTree([{ ...folder, status: { ...unknown, lastChecked: 1 } }])).toEqual([]);
    expect(changeTree([{ ...opening, opening: undefined }])).toEqual([]);
    expect(comparingTree('dev-ada-1').map((node) => describePlanNode(node).icon?.id)).toEqual(['loading~spin']);
  });

  it('offers to push where a Git provider holds back what is saved', () => {
    const [node] = changeTree([{ ...folder, status: { ...status, phase: 'paused', paused: ['gitProvider'] } }]);
    expect(node && describeChangesNode(node)).toMatchObject({ command: { id: 'modelbench.push' } });
    expect(node).toMatchObject({ folderId: 'f' });
  });

  it('counts what it does not draw', () => {
    const localChanges = Array.from({ length: 1200 }, (_, index) => ({ ...upload, path: `model/${index}.yml` }));
    const nodes = changeTree([{ ...folder, status: { ...status, localChanges } }]);
    const group = nodes.find(({ id }) => id === 'changes/f/local');
    expect(group && describeChangesNode(group).description).toBe('1200');
    expect(group?.children).toHaveLength(1001);
  });

  it('has words for line endings', () => {
    expect(changeWords({ ...conflict, eolOnly: true })).toBe('conflict: line endings only');
  });
});

describe('what a view draws again', () => {
  it('is nothing when nothing changed', () => {
    expect(changedNodes(branchTree(branchInput), branchTree({ ...branchInput }))).toEqual([]);
  });

  it('is the one node that changed', () => {
    const builds = new Map([['main', { phase: 'built', errorText: undefined, at: 0 } as const]]);
    const before = branchTree({ ...branchInput, builds: new Map() });
    const changed = changedNodes(before, branchTree({ ...branchInput, builds }));
    expect(changed === 'all' ? changed : changed.map(({ id }) => id)).toEqual(['branches/deploy/main']);
  });

  it('is the group that gained a branch, and everything when a group came', () => {
    const more = [...(branchInput.branches ?? []), branch('pricing', 'main')];
    const changed = changedNodes(branchTree(branchInput), branchTree({ ...branchInput, branches: more }));
    expect(changed === 'all' ? changed : changed.map(({ id }) => id)).toEqual(['branches/shared']);
    expect(changedNodes(branchTree({ ...branchInput, branches: [branch('main')] }), branchTree(branchInput))).toBe(
      'all',
    );
  });

  it('always leads from one model to the other', () => {
    const names = fc.uniqueArray(fc.constantFrom('main', 'a', 'b', 'c', 'dev-x', 'dev-y', 'dev-ada-1'));
    const model = names.map((list) =>
      branchTree({ ...branchInput, branches: list.map((name) => branch(name, name === 'main' ? undefined : 'main')) }),
    );
    const seen = (
      nodes: readonly TreeNode[],
      old: ReadonlyMap<string, TreeNode>,
      fresh: ReadonlySet<string>,
    ): string[] =>
      nodes.flatMap((node) => {
        const shown = fresh.has(node.id) ? node : (old.get(node.id) ?? node);
        const inner = fresh.has(node.id) ? new Set((node.children ?? []).map(({ id }) => id)) : fresh;
        const children = fresh.has(node.id) ? node.children : (node.children ?? []);
        return [
          JSON.stringify({ ...shown, children: undefined }),
          ...seen(children ?? [], old, new Set([...fresh, ...inner])),
        ];
      });
    fc.assert(
      fc.property(model, model, (before, after) => {
        const changed = changedNodes(before, after);
        const flat = (nodes: readonly TreeNode[]): [string, TreeNode][] =>
          nodes.flatMap((node) => [[node.id, node] as [string, TreeNode], ...flat(node.children ?? [])]);
        const fresh = changed === 'all' ? flat(after).map(([id]) => id) : changed.map(({ id }) => id);
        const drawnNow = seen(after, new Map(flat(before)), new Set(fresh));
        expect(drawnNow).toEqual(flat(after).map(([, node]) => JSON.stringify({ ...node, children: undefined })));
      }),
    );
  });

  it('keeps ids unique', () => {
    const ids = (nodes: readonly TreeNode[]): string[] =>
      nodes.flatMap((node) => [node.id, ...ids(node.children ?? [])]);
    const all = ids(branchTree(branchInput));
    expect(new Set(all).size).toBe(all.length);
  });
});

function never(): never {
  throw new Error('The fixture is empty.');
}
