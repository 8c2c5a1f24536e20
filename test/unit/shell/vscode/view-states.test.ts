import { describe, expect, it } from 'vitest';
import { PlatformError } from '#api/errors.ts';
import { adminTree, describeAdminNode, type ListState } from '#features/administration/admin-tree.ts';
import { type Failure, failureOf } from '#shell/error-texts.ts';
import { branchTree, describeBranchesNode } from '#features/branches/branch-tree.ts';
import { changeTree } from '#features/changes/change-tree.ts';
import { describeChangesNode } from '#features/changes/describe-changes.ts';
import { deploymentTree, describeDeploymentsNode } from '#features/deployments/deployment-tree.ts';
import type { TreeItemSpec, TreeNode } from '#shell/tree-item.ts';
import { describeWorkspaceNode, type ListInput, workspaceTree } from '#features/workspace/workspace-tree.ts';
import { type ViewId, views } from '#shell/view-ids.ts';
import { statusWith } from '#support/sync/status.ts';
import type { SyncStatus } from '#sync/core/folder-sync.ts';
import { localisedManifest } from '#support/manifest.ts';
import { plan } from '#support/plan.ts';
import { branchInput } from '#support/branch-tree.ts';

interface Manifest {
  readonly contributes: {
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly type?: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when?: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when?: string }[]>>;
  };
}

const { contributes } = JSON.parse(localisedManifest()) as Manifest;

const states = ['signed out', 'loading', 'empty', 'filtered empty', 'failed'] as const;
type State = (typeof states)[number];

/** How a user sees a state of a view. */
type Sight =
  /** A text of the empty view, by its words or condition, with what helps; `test/unit/shell/vscode/welcome.test.ts` has when it is shown. */
  | { readonly says: RegExp }
  /** A row; a failed one has *Retry*. */
  | { readonly row: () => readonly TreeItemSpec[] }
  | { readonly never: string };

/** Every row of a tree, described. */
function rows<N extends TreeNode>(
  nodes: readonly N[],
  describeNode: (node: N) => TreeItemSpec,
): readonly TreeItemSpec[] {
  return nodes.flatMap((node) => [describeNode(node), ...rows((node.children ?? []) as readonly N[], describeNode)]);
}

const account = { id: 'a', tenantUrl: 'https://a.test', label: 'a.test', source: 'stored' } as const;
const failure = failureOf(new PlatformError({ kind: 'network', operation: 'x', message: 'Try again later.' }));
const failedList = { list: undefined, error: failure };

const deployments = (error: Failure | undefined) =>
  rows(
    deploymentTree({
      offline: false,
      accounts: [{ account, refused: false, deployments: undefined, error }],
      details: () => undefined,
      active: undefined,
      isLinked: () => false,
    }),
    describeDeploymentsNode,
  );
const branches = (error: Failure | undefined) => rows(branchTree(branchInput([], { error })), describeBranchesNode);
const workspace = (list: ListInput<never>) =>
  rows(
    workspaceTree({
      accountId: 'a',
      deploymentId: '1',
      favourites: [],
      order: undefined,
      folders: list,
      reports: list,
      workbooks: list,
      contents: () => undefined,
    }),
    describeWorkspaceNode,
  );
const administration = (state: ListState) =>
  rows(adminTree({ accounts: [account], list: () => state }), describeAdminNode);
const changes = (status: Partial<SyncStatus> | undefined) => {
  const input = { folderId: 'f', name: 'f', branch: 'dev-a', problem: undefined, opening: 'dev-a' };
  const given = status && statusWith({ lastChecked: undefined, ...status });
  return rows(changeTree([{ ...input, status: given }]), describeChangesNode);
};

/** Texts that are shown only while the user is signed out. */
const signedOut = /!modelbench\.signedIn/;

const emptyPlan = { ...plan, entries: [], guards: [] };
const alone = 'works without an account, from the documented operations';
const table: Readonly<Record<Exclude<ViewId, typeof views.chat>, Readonly<Record<State, Sight>>>> = {
  [views.deployments]: {
    'signed out': { says: signedOut },
    loading: { says: /^Loading deployments…/ },
    empty: { says: /Your key has no access to a deployment/ },
    'filtered empty': { never: 'it has no filter; *Select Deployment…* finds by name' },
    failed: { row: () => deployments(failure) },
  },
  [views.branches]: {
    'signed out': { says: signedOut },
    loading: { says: /^Loading branches…/ },
    empty: { says: /This deployment has no branches yet/ },
    'filtered empty': { says: /No branch matches the filter/ },
    failed: { row: () => branches(failure) },
  },
  [views.changes]: {
    'signed out': { says: signedOut },
    loading: { row: () => changes(undefined) },
    empty: { row: () => changes({ lastChecked: 1, plan: emptyPlan }) },
    'filtered empty': { never: 'it has no filter' },
    failed: { row: () => changes({ error: new Error('Try again later.') }) },
  },
  [views.workspace]: {
    'signed out': { says: signedOut },
    loading: { says: /^Loading the workspace…/ },
    empty: { says: /This workspace has no folders, workbooks or reports yet/ },
    'filtered empty': { never: 'it has no filter; *Search Workspace…* asks the server' },
    failed: { row: () => workspace(failedList) },
  },
  [views.administration]: {
    'signed out': { says: signedOut },
    loading: { row: () => administration({ rows: undefined, loading: true, error: undefined }) },
    empty: { row: () => administration({ rows: { items: [], next: undefined }, loading: false, error: undefined }) },
    'filtered empty': { never: 'it has no filter' },
    failed: { row: () => administration({ rows: undefined, loading: false, error: failure }) },
  },
  [views.apiExplorer]: {
    'signed out': { never: alone },
    loading: { never: alone },
    empty: { says: /any operation of the platform’s APIs/ },
    'filtered empty': { never: 'it has no filter; *Open API Explorer…* finds by name' },
    failed: { never: 'a description that cannot be read leaves the documented operations' },
  },
};

/** Views of the manifest without a row in the table. */
const missing = (known: readonly string[]): readonly string[] =>
  Object.values(contributes.views)
    .flat()
    .filter(({ id, type }) => type !== 'webview' && !known.includes(id))
    .map(({ id }) => id);

/** Row contexts that have *Retry* beside them. */
const withRetry = new Map(
  (contributes.menus['view/item/context'] ?? [])
    .filter(({ command }) => /^modelbench\.(?:administration\.)?retry$/.test(command))
    .map(({ command, when = '' }) => [/viewItem == (\w+)/.exec(when)?.[1], command]),
);

/** What is wrong with how a state is seen. */
function problem(view: string, state: State, sight: Sight): string | undefined {
  if ('never' in sight) return undefined;
  if ('says' in sight) {
    const texts = contributes.viewsWelcome.filter(
      (each) => each.view === view && sight.says.test(`${each.contents} ${each.when}`),
    );
    if (texts.length !== 1) return `${texts.length} texts`;
    // While something is on its way there is nothing to do but wait.
    if (state === 'loading') return undefined;
    return texts[0]?.contents.includes('(command:') === true ? undefined : 'a text without a button';
  }
  const shown = sight.row();
  if (shown.length === 0) return 'no row';
  const failed = shown.filter(({ label }) => label === failure?.title || label === 'Failed');
  if ((state === 'failed') !== failed.length > 0) return 'no row says that it failed';
  const isRetried = failed.every(({ contextValue }) => withRetry.has(contextValue));
  return isRetried ? undefined : 'a failed row without Retry';
}

describe('every view in every state', () => {
  const cells = Object.entries(table).flatMap(([view, sights]) =>
    states.map((state) => [view, state, sights[state]] as const),
  );

  it.each(cells)('%s, %s', (view, state, sight) => {
    expect(problem(view, state, sight)).toBeUndefined();
  });

  it('would notice a text, a row or a button that goes', () => {
    expect(problem(views.branches, 'empty', { says: /no such words/ })).toBe('0 texts');
    expect(problem(views.branches, 'failed', { row: () => branches(undefined) })).toBe('no row');
    const silent = branches(failure).map((row) => ({ ...row, contextValue: 'group' }));
    expect(problem(views.branches, 'failed', { row: () => silent })).toBe('a failed row without Retry');
  });

  it('has all views of the manifest', () => {
    expect(missing(Object.keys(table))).toEqual([]);
    expect(missing(Object.keys(table).slice(1))).toEqual([views.deployments]);
  });

  it('shows no row where a text says it', () => {
    expect([
      deployments(undefined),
      branches(undefined),
      workspace({ list: { items: [], next: undefined }, error: undefined }),
    ]).toEqual([[], [], []]);
  });
});
