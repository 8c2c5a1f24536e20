import { describe, expect, it } from 'vitest';
import { PlatformError } from '#api/errors.ts';
import { adminTree, type AdminNode, describeAdminNode, type ListState } from '#features/administration/admin-tree.ts';
import { type AdminRow, type RowType, rowTypes } from '#features/administration/rows.ts';
import { describeExplorerNode, type ExplorerNode } from '#features/api-explorer/explorer-tree.ts';
import { type BranchesNode, branchTree, describeBranchesNode } from '#features/branches/branch-tree.ts';
import type { ActionNode, CommitPlan } from '#features/changes/commit-nodes.ts';
import type { ChangesNode, Obstacle, PushMode } from '#features/changes/change-nodes.ts';
import { changeTree } from '#features/changes/change-tree.ts';
import { describeChangesNode } from '#features/changes/describe-changes.ts';
import {
  type DeploymentDetails,
  type DeploymentsNode,
  deploymentTree,
  describeDeploymentsNode,
} from '#features/deployments/deployment-tree.ts';
import type { GitAttempt } from '#features/history/index.ts';
import { type BuildPhase, buildPhases } from '#features/platform/build-state.ts';
import { describeWorkspaceNode, type WorkspaceNode, workspaceTree } from '#features/workspace/workspace-tree.ts';
import { type CommandId, commands } from '#shell/commands/commands.ts';
import { failureOf } from '#shell/error-texts.ts';
import type { TreeItemSpec, TreeNode } from '#shell/tree-item.ts';
import { type ViewId, views } from '#shell/view-ids.ts';
import { adaInput, branch, branchInput } from '#support/branch-tree.ts';
import { plan } from '#support/plan.ts';
import { statusWith } from '#support/sync/status.ts';
import type { SyncFacts } from '#sync/core/status/sync-facts.ts';

/** A row, the node that its command gets, and how it is drawn. */
interface Row {
  readonly node: TreeNode;
  readonly spec: TreeItemSpec;
}

/** Every row of these trees. */
function rowsOf<N extends TreeNode>(nodes: readonly N[], describeNode: (node: N) => TreeItemSpec): readonly Row[] {
  return nodes.flatMap((node) => [
    { node, spec: describeNode(node) },
    ...rowsOf((node.children ?? []) as readonly N[], describeNode),
  ]);
}

const failure = failureOf(new PlatformError({ kind: 'network', operation: 'x', message: 'Try again later.' }));
const account = { id: 'a', tenantUrl: 'https://a.test', label: 'a.test', source: 'stored' } as const;

const endpoints = { restUrl: 'https://a.test/v1', sqlHost: 'a.test', sqlPort: 5432 };
const noEndpoints = { restUrl: undefined, sqlHost: undefined, sqlPort: undefined };

function deployments(): readonly DeploymentsNode[] {
  const details = (phase: BuildPhase): DeploymentDetails => ({
    error: failure,
    versions: [{ version: '1.2.3', channel: 'stable', isCurrent: true, isLatestInChannel: false }],
    deployBuild: { branchName: 'main', build: { phase, errorText: undefined, at: 0 } },
    environments: [
      { id: '1', name: 'production', type: 'production', ...endpoints },
      { id: '2', name: 'returns', type: 'staging', ...noEndpoints },
    ],
  });
  return buildPhases.flatMap((phase) =>
    deploymentTree({
      offline: false,
      accounts: [
        { account, refused: phase === 'failed', deployments: [{ id: '1', name: 'Shop' }], error: failure },
        { account: { ...account, id: 'b' }, refused: false, deployments: [], error: undefined },
      ],
      details: () => details(phase),
      active: { accountId: 'a', deploymentId: '1' },
      isLinked: () => true,
    }),
  );
}

function branches(): readonly BranchesNode[] {
  const many = Array.from({ length: 201 }, (_, at) => branch(`dev-bob-${at}`, 'main'));
  return [...branchTree(adaInput), ...branchTree(branchInput([branch('main'), ...many], { error: failure }))];
}

function workspace(): readonly WorkspaceNode[] {
  const item = (type: 'REPORT' | 'WORKBOOK', canEdit: boolean) =>
    ({ id: `${type}${canEdit}`, type, name: 'x', canEdit, canManage: canEdit, folderPath: [], publicId: 'x' }) as never;
  const items = [item('REPORT', true), item('REPORT', false), item('WORKBOOK', true), item('WORKBOOK', false)];
  const list = { list: { items, next: 'more' }, error: failure };
  return workspaceTree({
    accountId: 'a',
    deploymentId: '1',
    favourites: items,
    order: undefined,
    folders: { list: { items: [{ id: 'f', name: 'Sales' }] as never, next: undefined }, error: undefined },
    reports: list,
    workbooks: { list: { items: [], next: undefined }, error: undefined },
    contents: () => list,
  });
}

/** An object of each type; a group has a member. */
function administration(): readonly AdminNode[] {
  const row = (type: RowType): AdminRow => ({
    type,
    id: '1',
    name: type,
    detail: '',
    tenant: 'north',
    fields: { members: [{ value: '7', display: 'ada' }] },
  });
  const states: readonly ListState[] = [
    { rows: undefined, loading: true, error: undefined },
    { rows: { items: [], next: undefined }, loading: false, error: undefined },
  ];
  const full: ListState = { rows: { items: rowTypes.map(row), next: 'more' }, loading: false, error: failure };
  const empty: ListState = { rows: { items: [], next: undefined }, loading: false, error: undefined };
  return [
    ...states.flatMap((state) => adminTree({ accounts: [account, { ...account, id: 'b' }], list: () => state })),
    ...adminTree({ accounts: [account], list: (_, { list }) => (list === 'users' ? full : empty) }),
  ];
}

/** Every reason for a row of a folder, and rows of more files than are listed. */
function changes(): readonly ChangesNode[] {
  const input = { folderId: 'f', name: 'f', branch: 'dev-ada', problem: undefined, opening: 'dev-ada' };
  const entries = Array.from({ length: 1_001 }, (_, at) => ({ ...plan.entries[2], path: `${at}.yml` }) as never);
  const kinds = ['manyDeletesLocal', 'manyDeletesRemote', 'rootMissing'] as const;
  const blocks = ['pull', 'push', 'both'] as const;
  const guards = kinds.map((kind, at) => {
    return { kind, blocks: blocks[at] ?? 'both', confirmable: kind !== 'rootMissing', message: 'Many files.' };
  });
  const facts: readonly Partial<SyncFacts>[] = [
    {},
    { plan: { ...plan, entries, guards } },
    { plan, conflicts: [plan.entries[0] as never], frozen: entries },
    { error: new Error('Try again later.') },
    { lastChecked: undefined },
    { busy: 'pushing' },
    { busy: 'pulling' },
    { readOnly: 'otherWindow' },
    { readOnly: 'branch' },
    ...(['byUser', 'signedOut', 'gitProvider', 'gitCheckout', 'ownPull'] as const).map((by) => ({ paused: [by] })),
    { outbox: [{ path: 'a.yml', reason: { kind: 'offline', message: 'The tenant cannot be reached.' } } as never] },
  ] as never;
  const statuses = facts.map((each) => statusWith(each));
  const attempts: readonly GitAttempt[] = [
    { step: 'commit', from: 'main', message: '', files: [] },
    { step: 'pull', from: 'main', message: '', files: [{ path: 'a.yml' }, { path: 'b.yml', resolvedAgainst: 'x' }] },
  ];
  const obstacles: readonly Obstacle[] = [
    { kind: 'restricted' },
    { kind: 'signedOut', tenant: 'a.test' },
    { kind: 'noDevMode', accountId: 'a', deploymentId: '1' },
  ];
  const modes: readonly PushMode[] = ['automatic', 'notChosen', 'risky', 'off'];
  const elsewhere = { accountId: 'a', deploymentId: '1', linked: 'Shop', shown: 'Other' };
  return [
    ...statuses.map((status) => ({ ...input, status })),
    ...modes.map((pushMode) => ({ ...input, status: statusWith({}), pushMode })),
    ...attempts.map((attempt) => ({ ...input, status: statusWith({}), attempt })),
    { ...input, status: statusWith({}), elsewhere, unreturned: ['a.yml'] },
    { ...input, status: statusWith({}), comparing: { parent: 'main' } },
    { ...input, status: statusWith({}), comparing: { parent: 'main', error: 'Try again later.' } },
    { ...input, status: statusWith({}), commit },
    { ...input, status: undefined, problem: failure },
  ]
    .flatMap((each) => changeTree([each]))
    .concat(changeTree(obstacles.map((obstacle) => ({ ...input, status: undefined, obstacle }))))
    .concat(actions, [{ kind: 'plan', id: 'plan', label: 'Push', summary: '', isComparing: false, children: [] }]);
}

const commit: CommitPlan = {
  parent: 'main',
  isProduction: true,
  isMixed: false,
  toCommit: Array.from({ length: 1_001 }, (_, at) => ({ path: `${at}.yml`, change: 'changed' })),
  incoming: [{ path: 'b.yml', change: 'added' }],
};

const actions = (['push', 'pullFiles', 'commit', 'pull'] as const).map((action): ActionNode => {
  return { kind: 'action', id: action, action, folderId: 'f', branch: 'main', count: 1, children: [] };
});

const operation = {
  kind: 'apiOperation',
  id: 'api/x',
  operation: 'x',
  method: 'GET',
  path: '/x',
  summary: '',
  origin: 'documented',
  offered: true,
  destroys: false,
  children: [],
} as const;
const explorer: readonly ExplorerNode[] = [{ kind: 'apiTag', id: 'tag', tag: 'x', children: [operation as never] }];

/** The rows of every tree. */
const trees: Readonly<Record<Exclude<ViewId, typeof views.chat>, () => readonly Row[]>> = {
  [views.deployments]: () => rowsOf(deployments(), describeDeploymentsNode),
  [views.branches]: () => rowsOf(branches(), describeBranchesNode),
  [views.changes]: () => rowsOf(changes(), describeChangesNode),
  [views.workspace]: () => rowsOf(workspace(), describeWorkspaceNode),
  [views.administration]: () => rowsOf(administration(), describeAdminNode),
  [views.apiExplorer]: () => rowsOf(explorer, describeExplorerNode),
};

type Kinds<N extends TreeNode> = Readonly<Record<N['kind'], true>>;

/** Every kind of node: one that is added does not compile without a line here, and fails without a row above. */
const kinds = {
  [views.deployments]: {
    account: true,
    build: true,
    deployment: true,
    endpoint: true,
    environment: true,
    failure: true,
    version: true,
  } satisfies Kinds<DeploymentsNode>,
  [views.branches]: { branch: true, failure: true, group: true, more: true } satisfies Kinds<BranchesNode>,
  [views.changes]: {
    action: true,
    attempt: true,
    branchChange: true,
    change: true,
    elsewhere: true,
    failure: true,
    gitConflict: true,
    group: true,
    link: true,
    notice: true,
    obstacle: true,
    plan: true,
    pushMode: true,
  } satisfies Kinds<ChangesNode>,
  [views.workspace]: {
    failure: true,
    folder: true,
    item: true,
    more: true,
    section: true,
  } satisfies Kinds<WorkspaceNode>,
  [views.administration]: {
    adminAccount: true,
    adminList: true,
    adminNote: true,
    adminRow: true,
  } satisfies Kinds<AdminNode>,
  [views.apiExplorer]: { apiOperation: true, apiTag: true } satisfies Kinds<ExplorerNode>,
};

/** Rows on which a click does nothing, because there is nothing to open. */
const still: readonly (readonly [name: string, is: (row: Row) => boolean])[] = [
  ['it says what is under way', ({ spec }) => spec.icon?.id.endsWith('~spin') === true],
  ['an empty list of the administration', ({ node }) => node.kind === 'adminNote' && node.id.endsWith('/empty')],
  ['the heading of an empty section', ({ node }) => node.kind === 'section' && node.children?.length === 0],
];

/** Rows without anything behind a click. */
const dead = (rows: readonly Row[]): readonly string[] =>
  rows
    .filter((row) => row.spec.command === undefined && row.spec.collapsible === 'none')
    .filter((row) => !still.some(([, is]) => is(row)))
    .map(({ node, spec }) => `${node.kind}: ${spec.label}`);

/** Commands of a click that ask for what they act on, or that act on the whole window. */
const asking: ReadonlySet<string> = new Set<CommandId>([
  'modelbench.changes.refresh',
  'modelbench.manageTrust',
  'modelbench.plan.show',
  'modelbench.signIn',
]);

/** A stopped step has several conflicts, so its row asks which one to resolve. */
const asksForFile = ({ kind }: TreeNode, id: string): boolean =>
  kind === 'attempt' && id === 'modelbench.conflict.merge';

/** Rows whose command would not act on them. */
const astray = (rows: readonly Row[]): readonly string[] =>
  rows.flatMap(({ node, spec: { command, label } }) => {
    if (!command || asking.has(command.id) || asksForFile(node, command.id)) return [];
    const spec = commands[command.id as CommandId];
    return spec.read(node) === undefined ? [`${node.kind}: ${label} → ${command.id}`] : [];
  });

/** What a click may begin, because a page, a question or a button to undo it comes before or after. */
const careful: Readonly<Record<string, string>> = {
  'modelbench.deployment.changeVersion': 'asks',
  'modelbench.push': 'shows a review, or pushes a single file that *Undo Last Push* takes back',
  'modelbench.pullFiles': 'shows a review, or pulls a single file that *Undo Last Pull* takes back',
  'modelbench.commit': 'asks',
  'modelbench.pull': 'shows a review',
  'modelbench.devMode.start': 'asks',
  'modelbench.sync.choosePush': 'a second click turns it back',
  'modelbench.sync.putBack': 'asks where both sides differ',
  'modelbench.sync.resume': '*Pause Sync* turns it back',
  'modelbench.sync.sendWaiting': 'repeats what the user agreed to',
  'modelbench.git.continue': 'shows a review',
  'modelbench.conflict.merge': 'opens an editor',
};

/** Commands that change something at a click and are not listed. */
const careless = (rows: readonly Row[]): readonly string[] =>
  [...new Set(rows.flatMap(({ spec }) => spec.command?.id ?? []))].filter(
    (id) => commands[id as CommandId].effect !== 'reads' && !(id in careful),
  );

describe('a click on a row', () => {
  it.each(Object.keys(trees) as (keyof typeof trees)[])('does something on every row of %s', (view) => {
    const rows = trees[view]();
    expect([...new Set(rows.map(({ node }) => node.kind))].sort()).toEqual(Object.keys(kinds[view]));
    expect(dead(rows)).toEqual([]);
  });

  it.each(Object.keys(trees) as (keyof typeof trees)[])('acts on that row of %s', (view) => {
    expect(astray(trees[view]())).toEqual([]);
  });

  it('changes nothing at once that cannot be taken back', () => {
    expect(careless(Object.values(trees).flatMap((rows) => rows()))).toEqual([]);
  });

  it('has a reason wherever it does nothing', () => {
    const all = Object.values(trees).flatMap((rows) => rows());
    expect(still.filter(([, is]) => !all.some(is)).map(([name]) => name)).toEqual([]);
  });

  it('would be missed', () => {
    const row = (spec: Partial<TreeItemSpec>): Row => ({
      node: { kind: 'x', id: 'x' },
      spec: { label: 'x', collapsible: 'none', ...spec },
    });
    expect(dead([row({}), row({ collapsible: 'collapsed' })])).toEqual(['x: x']);
    const copying = row({ command: { id: 'modelbench.copy', title: 'Copy' } });
    expect([dead([copying]), astray([copying])]).toEqual([[], ['x: x → modelbench.copy']]);
    expect(careless([row({ command: { id: 'modelbench.branch.delete', title: 'Delete' } })])).toHaveLength(1);
  });
});
