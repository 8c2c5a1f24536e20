import { isDevBranch } from '#api/resources/branches.ts';
import { plural } from '#base/words.ts';
import { unreachable } from '#base/result.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { Failure } from '#shell/error-texts.ts';
import {
  type Branch,
  type BranchRelation,
  branchRelation,
  type BranchRole,
  buildAppearance,
  type BuildState,
  buildText,
  deployBranchOf,
  relationText,
  roleOf,
  shortHash,
} from '#features/platform/index.ts';
import { type ChangeCounts, countsMark } from '#features/changes/index.ts';
import {
  describeFailure,
  describeMore,
  type FailureNode,
  failureNode,
  type MoreNode,
  moreNode,
  type TreeItemSpec,
  type TreeNode,
} from '#shell/tree-item.ts';

export interface BranchNode extends TreeNode, BranchTarget {
  readonly kind: 'branch';
  readonly role: BranchRole;
  readonly parent: string | undefined;
  readonly active: boolean;
  readonly staging: boolean;
  readonly hash: string | undefined;
  readonly build: BuildState | undefined;
  readonly isProtected: boolean;
  readonly relation: BranchRelation | undefined;
  /** The numbers of files that differ between this window's folders and the branch. */
  readonly changes: ChangeCounts | undefined;
  /** Other windows of this machine whose active branch this is. */
  readonly windows: readonly string[];
  /** Where the account's key is in dev mode according to the platform, if that differs from this window's active branch. */
  readonly key: 'here' | 'elsewhere' | undefined;
  /** Another account of this machine that is in dev mode on it. */
  readonly otherAccount: string | undefined;
}

export interface BranchGroupNode extends TreeNode {
  readonly kind: 'group';
  readonly role: BranchRole;
  /** The number of branches in the group, including those that are not shown. */
  readonly count: number;
  readonly children: readonly (BranchNode | MoreNode)[];
}

export type BranchesNode = BranchGroupNode | BranchNode | MoreNode | FailureNode;

/** All inputs of the Branches view, collected from the stores. */
export interface BranchTreeInput {
  readonly accountId: string;
  readonly deploymentId: string;
  readonly branches: readonly Branch[] | undefined;
  readonly error: Failure | undefined;
  readonly mine: ReadonlySet<string>;
  readonly active: string | undefined;
  readonly builds: ReadonlyMap<string, BuildState>;
  readonly isProtected: (branchName: string) => boolean;
  /** Shows only branches whose name contains this text (case-insensitive). */
  readonly filter: string;
  /** The number of pages to show of each group; 1 by default. */
  readonly pages?: ReadonlyMap<BranchRole, number> | undefined;
  /** The last known common commits of the user's own branches and their parents, by branch. */
  readonly forkPoints?: ReadonlyMap<string, string> | undefined;
  /** The changes on the active branch, once both sides were compared. */
  readonly changes?: ChangeCounts | undefined;
  /** Names of other windows of this machine, by branch. */
  readonly windows?: ReadonlyMap<string, readonly string[]> | undefined;
  /** The branch on which the key is in dev mode, if the platform was asked. */
  readonly keyBranch?: string | undefined;
  /** The accounts of this machine that are in dev mode, by branch. */
  readonly otherAccounts?: ReadonlyMap<string, string> | undefined;
}

const groups: readonly (readonly [BranchRole, string])[] = [
  ['mine', 'My Dev Branches'],
  ['deploy', 'Deploy Branch'],
  ['shared', 'Shared Branches'],
  ['others', 'Other Dev Branches'],
];

/**
 * Builds the groups in a fixed order, the user’s own branches first and empty groups left out. Ids depend only on role and name,
 * so that a refresh keeps groups expanded.
 */
export function branchTree(input: BranchTreeInput): readonly BranchesNode[] {
  const failure = input.error === undefined ? [] : [failureNode('branches', input.error, 'branches')];
  const branches = input.branches ?? [];
  const deploy = deployBranchOf(branches)?.name;
  const wanted = input.filter.toLowerCase();
  const byName = new Map(branches.map((branch) => [branch.name, branch]));
  const byRole = new Map<BranchRole, BranchNode[]>();
  for (const branch of branches) {
    if (wanted !== '' && !branch.name.toLowerCase().includes(wanted)) continue;
    const role = roleOf(branch, deploy, input.mine);
    const nodes = byRole.get(role);
    const node = branchNode(input, branch, role, byName.get(branch.parentBranch ?? ''));
    if (nodes) nodes.push(node);
    else byRole.set(role, [node]);
  }
  const shown = groups.flatMap(([role]) => {
    const children = byRole.get(role);
    if (!children) return [];
    children.sort((a, b) => Number(b.active) - Number(a.active) || compareNames(a.branchName, b.branchName));
    return [groupNode(role, children, input.pages?.get(role) ?? 1)];
  });
  return [...failure, ...shown];
}

/** Rows per page. VS Code requests every row of an expanded group, and users filter long lists rather than scroll. */
const pageRows = 200;

function groupNode(role: BranchRole, nodes: readonly BranchNode[], pages: number): BranchGroupNode {
  const id = `branches/${role}`;
  const shown = nodes.slice(0, pages * pageRows);
  const rest = nodes.length - shown.length;
  const children = rest === 0 ? shown : [...shown, moreNode(id, `branches:${role}`)];
  return { kind: 'group', id, role, count: nodes.length, children };
}

/** Compares by code units: the same order on every machine, and fast for thousands of names. */
function compareNames(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function branchNode(input: BranchTreeInput, branch: Branch, role: BranchRole, parent: Branch | undefined): BranchNode {
  const active = branch.name === input.active;
  return {
    kind: 'branch',
    id: `branches/${role}/${branch.name}`,
    accountId: input.accountId,
    deploymentId: input.deploymentId,
    branchName: branch.name,
    role,
    parent: branch.parentBranch,
    active,
    staging: branch.staging,
    hash: shortHash(branch.lastHash),
    build: input.builds.get(branch.name),
    isProtected: input.isProtected(branch.name),
    relation: branchRelation(branch, parent, input.forkPoints?.get(branch.name)),
    changes: active ? input.changes : undefined,
    windows: input.windows?.get(branch.name) ?? [],
    key: keyMark(input, branch.name, active),
    otherAccount: input.otherAccounts?.get(branch.name),
    children: [],
  };
}

/** Returns a marker if the key's branch differs from this window's active one. */
function keyMark({ keyBranch, active }: BranchTreeInput, name: string, isActive: boolean): BranchNode['key'] {
  if (keyBranch === undefined || keyBranch === active) return undefined;
  if (isActive) return 'elsewhere';
  return keyBranch === name && isDevBranch(name) ? 'here' : undefined;
}

/** Describes the row of a node; its context value determines its menu. */
export function describeBranchesNode(node: BranchesNode): TreeItemSpec {
  switch (node.kind) {
    case 'failure':
      return describeFailure(node);
    case 'more':
      return { ...describeMore(), tooltip: 'Shows 200 more. Filter by name to find a branch faster.' };
    case 'group': {
      const label = groups.find(([role]) => role === node.role)?.[1] ?? node.role;
      return {
        label,
        description: node.role === 'deploy' ? undefined : String(node.count),
        contextValue: `group.${node.role}`,
        collapsible: node.role === 'others' ? 'collapsed' : 'expanded',
        spoken: `${label}, ${plural(node.count, 'branch', 'branches')}`,
      };
    }
    case 'branch':
      return describeBranch(node);
    default:
      return unreachable(node);
  }
}

function describeBranch(node: BranchNode): TreeItemSpec {
  const building =
    node.build && node.build.phase !== 'inactive' && node.build.phase !== 'none' ? node.build : undefined;
  const counts = node.changes && countsMark(node.changes);
  // Screen readers do not read arrows.
  const spoken = counts === undefined || counts === '' ? undefined : node.changes && spokenChanges(node.changes);
  const facts = [
    node.active ? 'active' : undefined,
    counts,
    // Shared branches nearly always differ from their parents, so this is shown for the user's own branches only.
    node.role === 'mine' ? relationText(node.relation, node.parent) : undefined,
    ...markers(node),
    node.staging ? 'staging' : undefined,
    node.hash,
    building && buildAppearance(building).label,
  ].filter((fact) => fact !== undefined && fact !== '');
  return {
    label: node.branchName,
    description: facts.join(' · '),
    tooltip: branchTooltip(node),
    icon: branchIcon(node),
    contextValue: branchContext(node),
    collapsible: 'none',
    command:
      node.build?.phase === 'failed'
        ? { id: 'modelbench.build.showError', title: 'Show Build Error' }
        : openFileOfBranch,
    spoken: [node.branchName, roleDescriptions[node.role], ...facts.filter((fact) => fact !== counts), spoken]
      .filter((part) => part !== undefined)
      .join(', '),
  };
}

/** Clicking a branch asks which of its files to show; it changes nothing. */
const openFileOfBranch = { id: 'modelbench.branch.openFile', title: 'Open File of Branch' };

/** Returns who else uses the branch: other windows, the key, another account. */
function markers({ windows, key, otherAccount }: BranchNode): readonly string[] {
  return [
    ...(windows.length === 0
      ? []
      : [windows.length === 1 ? 'in another window' : `in ${windows.length} other windows`]),
    ...(key === undefined ? [] : [key === 'here' ? 'your dev mode is here' : 'your dev mode is on another branch']),
    ...(otherAccount === undefined ? [] : [`dev mode of ${otherAccount}`]),
  ];
}

const roleDescriptions: Readonly<Record<BranchRole, string>> = {
  deploy: 'deploy branch: production is built from it',
  shared: 'shared branch',
  mine: 'your dev branch',
  others: 'another user’s dev branch',
};

function branchTooltip(node: BranchNode): string {
  const lines = [
    `${node.branchName} — ${roleDescriptions[node.role]}`,
    node.active ? 'Active in this window: saved files go here.' : undefined,
    node.parent === undefined ? undefined : `Parent: ${node.parent}${parentNote(node)}`,
    node.changes && `Your folder: ${spokenChanges(node.changes)}`,
    ...tooltipMarkers(node),
    node.hash === undefined ? undefined : `Last commit: ${node.hash}`,
    node.role === 'shared' ? `Staging environment: ${node.staging ? 'always active' : 'off'}` : undefined,
    node.build && `Build: ${buildText(node.build, node.hash)}`,
    node.build?.errorText,
    node.isProtected ? 'Protected: changes ask for a typed confirmation.' : undefined,
  ];
  return lines.filter((line) => line !== undefined).join('\n');
}

function parentNote({ relation, parent }: BranchNode): string {
  if (relation === 'same') return ' (same commit)';
  const relationship = relationText(relation, parent);
  return relationship === undefined ? '' : ` (${relationship})`;
}

function spokenChanges({ local, remote, conflicts }: ChangeCounts): string {
  if (local + remote + conflicts === 0) return 'the same as the branch';
  return `${local} to push, ${remote} to pull, ${conflicts} in conflict`;
}

function tooltipMarkers({ windows, key, otherAccount }: BranchNode): readonly string[] {
  return [
    ...(windows.length === 0
      ? []
      : [
          `Open in ${windows.map((name) => `“${name}”`).join(', ')} too: the first window uploads, the others only show changes.`,
        ]),
    ...(key === 'here' ? ['Your dev mode is on this branch: switch to it to work on it.'] : []),
    ...(key === 'elsewhere'
      ? ['Your dev mode is on another branch: uploads are refused until you switch back to this one.']
      : []),
    ...(otherAccount === undefined ? [] : [`The account ${otherAccount} of this machine is in dev mode here.`]),
  ];
}

function branchIcon(node: BranchNode): TreeItemSpec['icon'] {
  if (node.build && (node.build.phase === 'building' || node.build.phase === 'warmup')) return { id: 'loading~spin' };
  if (node.build?.phase === 'failed') return { id: 'error', color: 'testing.iconFailed' };
  if (node.active) return { id: 'check', color: 'charts.green' };
  if (node.role === 'deploy') return { id: 'rocket', color: 'problemsWarningIcon.foreground' };
  if (node.staging) return { id: 'beaker', color: 'charts.purple' };
  return { id: 'git-branch' };
}

/** Returns the facets that menus match: `branch.<role>` with `.active`, `.stagingOn`/`.stagingOff`, `.failed`. */
function branchContext(node: BranchNode): string {
  const facets = ['branch', node.role];
  if (node.active) facets.push('active');
  if (node.role === 'shared') facets.push(node.staging ? 'stagingOn' : 'stagingOff');
  if (node.build?.phase === 'failed') facets.push('failed');
  return facets.join('.');
}
