import { unreachable } from '#base/result.ts';
import type { BranchTarget } from '#protocol/targets.ts';
import { type Branch, type BranchRole, deployBranchOf, roleOf, shortHash } from '../branches.ts';
import { buildLook, type BuildState } from '../build-state.ts';
import { describeFailure, type FailureNode, failureNode, type TreeItemSpec, type TreeNode } from './tree-item.ts';

export interface BranchNode extends TreeNode, BranchTarget {
  readonly kind: 'branch';
  readonly role: BranchRole;
  readonly parent: string | undefined;
  readonly active: boolean;
  readonly staging: boolean;
  readonly hash: string | undefined;
  readonly build: BuildState | undefined;
  readonly isProtected: boolean;
}

export interface BranchGroupNode extends TreeNode {
  readonly kind: 'group';
  readonly role: BranchRole;
  readonly children: readonly BranchNode[];
}

export type BranchesNode = BranchGroupNode | BranchNode | FailureNode;

/** Everything the branches view shows, gathered from the stores. */
export interface BranchTreeInput {
  readonly accountId: string;
  readonly deploymentId: string;
  readonly branches: readonly Branch[] | undefined;
  readonly error: string | undefined;
  readonly mine: ReadonlySet<string>;
  readonly active: string | undefined;
  readonly builds: ReadonlyMap<string, BuildState>;
  readonly isProtected: (branchName: string) => boolean;
  /** Only branches whose name holds this text (any case). */
  readonly filter: string;
}

const groups: readonly (readonly [BranchRole, string])[] = [
  ['deploy', 'Deploy Branch'],
  ['shared', 'Shared Branches'],
  ['mine', 'My Dev Branches'],
  ['others', 'Others’ Dev Branches'],
];

/** Groups in a fixed order, empty ones left out; ids depend on names alone, so that a refresh keeps what is open. */
export function branchTree(input: BranchTreeInput): readonly BranchesNode[] {
  const failure = input.error === undefined ? [] : [failureNode('branches', input.error, 'branches')];
  const branches = input.branches ?? [];
  const deploy = deployBranchOf(branches)?.name;
  const wanted = input.filter.toLowerCase();
  const byRole = new Map<BranchRole, BranchNode[]>();
  for (const branch of branches) {
    if (wanted !== '' && !branch.name.toLowerCase().includes(wanted)) continue;
    const role = roleOf(branch, deploy, input.mine);
    const nodes = byRole.get(role);
    const node = branchNode(input, branch, role);
    if (nodes) nodes.push(node);
    else byRole.set(role, [node]);
  }
  const shown = groups.flatMap(([role]) => {
    const children = byRole.get(role);
    if (!children) return [];
    children.sort((a, b) => Number(b.active) - Number(a.active) || compareNames(a.branchName, b.branchName));
    return [{ kind: 'group', id: `branches/${role}`, role, children } satisfies BranchGroupNode];
  });
  return [...failure, ...shown];
}

/** Code-unit order: the same on every machine, and fast for thousands. */
function compareNames(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function branchNode(input: BranchTreeInput, branch: Branch, role: BranchRole): BranchNode {
  return {
    kind: 'branch',
    id: `branches/${role}/${branch.name}`,
    accountId: input.accountId,
    deploymentId: input.deploymentId,
    branchName: branch.name,
    role,
    parent: branch.parentBranch,
    active: branch.name === input.active,
    staging: branch.staging,
    hash: shortHash(branch.lastHash),
    build: input.builds.get(branch.name),
    isProtected: input.isProtected(branch.name),
    children: [],
  };
}

export function describeBranchesNode(node: BranchesNode): TreeItemSpec {
  switch (node.kind) {
    case 'failure':
      return describeFailure(node);
    case 'group':
      return {
        label: groups.find(([role]) => role === node.role)?.[1] ?? node.role,
        description: node.role === 'deploy' ? undefined : String(node.children.length),
        contextValue: `group.${node.role}`,
        collapsible: node.role === 'others' ? 'collapsed' : 'expanded',
      };
    case 'branch':
      return describeBranch(node);
    default:
      return unreachable(node);
  }
}

function describeBranch(node: BranchNode): TreeItemSpec {
  const building =
    node.build && node.build.phase !== 'inactive' && node.build.phase !== 'none' ? node.build : undefined;
  const facts = [
    node.active ? 'active' : undefined,
    node.staging ? 'staging' : undefined,
    node.hash,
    building && buildLook(building.phase).words,
  ].filter((fact) => fact !== undefined);
  return {
    label: node.branchName,
    description: facts.join(' · '),
    tooltip: branchTooltip(node),
    icon: branchIcon(node),
    contextValue: branchContext(node),
    collapsible: 'none',
    spoken: `${node.branchName}, ${roleWords[node.role]}, ${facts.join(', ')}`,
  };
}

const roleWords: Readonly<Record<BranchRole, string>> = {
  deploy: 'deploy branch: production is built from it',
  shared: 'shared branch',
  mine: 'your dev branch',
  others: 'another person’s dev branch',
};

function branchTooltip(node: BranchNode): string {
  const lines = [
    `${node.branchName} — ${roleWords[node.role]}`,
    node.active ? 'Active in this window: saved files go here.' : undefined,
    node.parent === undefined ? undefined : `Parent: ${node.parent}`,
    node.hash === undefined ? undefined : `Last commit: ${node.hash}`,
    node.role === 'shared' ? `Staging environment: ${node.staging ? 'always active' : 'off'}` : undefined,
    node.build === undefined ? undefined : `Build: ${buildLook(node.build.phase).words}`,
    node.build?.errorText,
    node.isProtected ? 'Protected: changes ask for a typed confirmation.' : undefined,
  ];
  return lines.filter((line) => line !== undefined).join('\n');
}

function branchIcon(node: BranchNode): TreeItemSpec['icon'] {
  if (node.build && (node.build.phase === 'building' || node.build.phase === 'warmup')) return { id: 'loading~spin' };
  if (node.build?.phase === 'failed') return { id: 'error', color: 'testing.iconFailed' };
  if (node.active) return { id: 'check', color: 'charts.green' };
  if (node.role === 'deploy') return { id: 'rocket', color: 'charts.orange' };
  if (node.staging) return { id: 'beaker', color: 'charts.purple' };
  return { id: 'git-branch' };
}

/** Facets that menus match: `branch.<role>` with `.active`, `.stagingOn`/`.stagingOff`, `.failed`. */
function branchContext(node: BranchNode): string {
  const facets = ['branch', node.role];
  if (node.active) facets.push('active');
  if (node.role === 'shared') facets.push(node.staging ? 'stagingOn' : 'stagingOff');
  if (node.build?.phase === 'failed') facets.push('failed');
  return facets.join('.');
}
