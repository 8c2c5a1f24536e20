import { unreachable } from '#base/result.ts';
import { readableTime } from '#base/timestamps.ts';
import type { CopyTarget, DeploymentTarget } from '#shell/targets.ts';
import { mayDeploy } from '#sync/core/target.ts';
import type { Failure } from '#shell/error-texts.ts';
import type { Account } from '#features/accounts/index.ts';
import {
  buildAppearance,
  type BuildState,
  type Deployment,
  type Environment,
  isBeingSetUp,
  sqlConnectionString,
  sqlEndpoint,
  type VersionEntry,
} from '#features/platform/index.ts';
import { describeFailure, type FailureNode, failureNode, type TreeItemSpec, type TreeNode } from '#shell/tree-item.ts';

export interface AccountNode extends TreeNode {
  readonly kind: 'account';
  readonly accountId: string;
  readonly label: string;
  readonly tenantUrl: string;
  readonly fromEnvironment: boolean;
  readonly refused: boolean;
  readonly children: readonly DeploymentsNode[];
}

export interface DeploymentNode extends TreeNode, DeploymentTarget {
  readonly kind: 'deployment';
  readonly name: string;
  readonly createdAt?: string | undefined;
  /** Shown in the Branches and Workspace views. */
  readonly active: boolean;
  readonly linked: boolean;
  /** Whether production is the last upload, so that a linked folder can be deployed. */
  readonly uploads: boolean;
  /** Whether the platform’s setup wizard has steps left. */
  readonly isBeingSetUp: boolean;
  readonly children: readonly DeploymentsNode[] | undefined;
}

export interface EnvironmentNode extends TreeNode, DeploymentTarget, CopyTarget {
  readonly environmentId: string;
  readonly kind: 'environment';
  readonly name: string;
  readonly type: string;
  readonly children: readonly DeploymentsNode[];
}

export interface EndpointNode extends TreeNode, CopyTarget {
  readonly kind: 'endpoint';
  readonly label: string;
  readonly icon: string;
}

export interface VersionNode extends TreeNode, DeploymentTarget {
  readonly kind: 'version';
  readonly version: string;
  readonly channel: string | undefined;
  readonly isLatest: boolean;
}

export interface DeployBuildNode extends TreeNode, DeploymentTarget {
  readonly kind: 'build';
  readonly branchName: string;
  readonly build: BuildState;
}

export type DeploymentsNode =
  | AccountNode
  | DeploymentNode
  | EnvironmentNode
  | EndpointNode
  | VersionNode
  | DeployBuildNode
  | FailureNode;

/** The loaded data of one deployment; `undefined` fields were not requested yet. */
export interface DeploymentDetails {
  readonly environments: readonly Environment[] | undefined;
  readonly versions: readonly VersionEntry[] | undefined;
  readonly deployBuild: { readonly branchName: string; readonly build: BuildState } | undefined;
  readonly error: Failure | undefined;
}

export interface AccountInput {
  readonly account: Account;
  readonly refused: boolean;
  readonly deployments: readonly Deployment[] | undefined;
  readonly error: Failure | undefined;
}

export interface DeploymentTreeInput {
  /** Whether the platform is unreachable. With one account the tree is empty, and the view's welcome text explains it. */
  readonly offline: boolean;
  readonly accounts: readonly AccountInput[];
  readonly details: (target: DeploymentTarget) => DeploymentDetails | undefined;
  readonly active: DeploymentTarget | undefined;
  readonly isLinked: (target: DeploymentTarget) => boolean;
}

/** Builds the tree: with one account, its deployments are at the top; with several, each account has a node. */
export function deploymentTree(input: DeploymentTreeInput): readonly DeploymentsNode[] {
  const only = input.accounts.length === 1 ? input.accounts[0] : undefined;
  if (only) return input.offline ? [] : accountChildren(input, only);
  return input.accounts.map((entry) => ({
    kind: 'account',
    id: `account/${entry.account.id}`,
    accountId: entry.account.id,
    label: entry.account.label,
    tenantUrl: entry.account.tenantUrl,
    fromEnvironment: entry.account.source === 'environment',
    refused: entry.refused,
    children: accountChildren(input, entry),
  }));
}

const keyRefused: Failure = {
  title: 'Not signed in',
  message: 'The platform no longer accepts this key. Sign in again.',
};

function accountChildren(input: DeploymentTreeInput, entry: AccountInput): readonly DeploymentsNode[] {
  const owner = `account/${entry.account.id}`;
  // The request waits while the user is asked for another key, so the row explains why nothing loads.
  const error = entry.error ?? (entry.refused && entry.deployments === undefined ? keyRefused : undefined);
  const failure = error === undefined ? [] : [failureNode(owner, error, `deployments:${entry.account.id}`)];
  const nodes = (entry.deployments ?? []).map((deployment) => deploymentNode(input, entry.account, deployment));
  return [...failure, ...nodes];
}

/** Returns the id of a deployment's row. */
export const deploymentNodeId = ({ accountId, deploymentId }: DeploymentTarget): string =>
  `deployment/${accountId}/${deploymentId}`;

function deploymentNode(input: DeploymentTreeInput, account: Account, deployment: Deployment): DeploymentNode {
  const target: DeploymentTarget = { accountId: account.id, deploymentId: deployment.id };
  const id = deploymentNodeId(target);
  const details = input.details(target);
  return {
    kind: 'deployment',
    id,
    ...target,
    name: deployment.name,
    createdAt: deployment.createdAt,
    active: input.active?.accountId === account.id && input.active.deploymentId === deployment.id,
    linked: input.isLinked(target),
    uploads: mayDeploy(deployment.deployMode),
    isBeingSetUp: isBeingSetUp(deployment),
    children: details && detailNodes(id, target, details),
  };
}

function detailNodes(id: string, target: DeploymentTarget, details: DeploymentDetails): readonly DeploymentsNode[] {
  const nodes: DeploymentsNode[] = [];
  if (details.error !== undefined) {
    nodes.push(failureNode(id, details.error, `deployment:${target.accountId}:${target.deploymentId}`));
  }
  const current = details.versions?.find((version) => version.isCurrent);
  if (details.deployBuild) nodes.push({ kind: 'build', id: `${id}/build`, ...target, ...details.deployBuild });
  if (current) {
    const { version, channel, isLatestInChannel } = current;
    nodes.push({ kind: 'version', id: `${id}/version`, ...target, version, channel, isLatest: isLatestInChannel });
  }
  for (const environment of details.environments ?? []) nodes.push(environmentNode(id, target, environment));
  return nodes;
}

function environmentNode(owner: string, target: DeploymentTarget, environment: Environment): EnvironmentNode {
  const id = `${owner}/environment/${environment.id}`;
  const endpoint = (label: string, icon: string, copy: string | undefined): readonly EndpointNode[] =>
    copy === undefined ? [] : [{ kind: 'endpoint', id: `${id}/${label}`, label, icon, copy }];
  return {
    kind: 'environment',
    id,
    accountId: target.accountId,
    deploymentId: target.deploymentId,
    environmentId: environment.id,
    name: environment.name,
    copy: environment.name,
    type: environment.type,
    children: [
      ...endpoint('REST API', 'globe', environment.restUrl),
      ...endpoint('SQL API', 'database', sqlEndpoint(environment)),
      ...endpoint('SQL connection', 'plug', sqlConnectionString(environment)),
    ],
  };
}

/** Describes the row of a node; its context value determines its menu. */
export function describeDeploymentsNode(node: DeploymentsNode): TreeItemSpec {
  switch (node.kind) {
    case 'failure':
      return describeFailure(node);
    case 'account':
      return describeAccount(node);
    case 'deployment':
      return describeDeployment(node);
    case 'environment':
      return {
        label: node.name,
        description: node.name.toLowerCase() === node.type ? undefined : node.type,
        tooltip: `${node.name} (${node.type} environment)`,
        icon: environmentIcon(node.type),
        contextValue: 'environment',
        ...(node.children.length > 0 ? { collapsible: 'collapsed' } : { collapsible: 'none', command: copy }),
      };
    case 'endpoint':
      return {
        label: node.label,
        description: node.copy,
        tooltip: `${node.copy}\n\nClick to copy.`,
        icon: { id: node.icon },
        contextValue: 'endpoint.copy',
        collapsible: 'none',
        command: copy,
        spoken: `${node.label}: ${node.copy}. Press Enter to copy.`,
      };
    case 'version':
      return {
        label: `Version ${node.version}`,
        description: versionFreshness(node),
        icon: { id: 'versions' },
        tooltip: `Version ${node.version} of the platform’s engine\n${versionTooltip(node)}`,
        contextValue: 'version',
        collapsible: 'none',
        command: { id: 'modelbench.deployment.changeVersion', title: 'Change Version or Settings' },
      };
    case 'build':
      return {
        label: `Production ${buildAppearance(node.build).label}`,
        description: node.branchName,
        tooltip: buildTooltip(node),
        icon: { id: buildAppearance(node.build).icon, color: buildAppearance(node.build).color },
        contextValue: node.build.phase === 'failed' ? 'build.failed' : 'build',
        collapsible: 'none',
        command: node.build.phase === 'failed' ? showBuildError : checkBuild,
      };
    default:
      return unreachable(node);
  }
}

const copy = { id: 'modelbench.copy', title: 'Copy' };
const checkBuild = { id: 'modelbench.build.refresh', title: 'Check the Build' };
const showBuildError = { id: 'modelbench.build.showError', title: 'Show Build Error' };

function describeAccount(node: AccountNode): TreeItemSpec {
  return {
    label: node.label,
    description: node.refused ? 'key refused: sign in again' : node.fromEnvironment ? 'from environment' : undefined,
    tooltip: node.tenantUrl,
    icon: node.refused ? { id: 'warning', color: 'problemsWarningIcon.foreground' } : { id: 'account' },
    contextValue: node.fromEnvironment ? 'account.environment' : 'account.stored',
    collapsible: 'expanded',
  };
}

function describeDeployment(node: DeploymentNode): TreeItemSpec {
  const facts = [node.active ? 'active' : undefined, node.linked ? 'linked' : undefined, `#${node.deploymentId}`];
  return {
    label: node.name,
    description: facts.filter((fact) => fact !== undefined).join(' · '),
    tooltip: [
      node.name,
      `Deployment ${node.deploymentId}`,
      node.createdAt === undefined ? '' : `Created ${readableTime(node.createdAt)}`,
      node.linked ? 'A folder of this window is linked to it.' : '',
    ]
      .filter((line) => line !== '')
      .join('\n'),
    icon: { id: 'server-environment', color: node.active ? 'charts.green' : undefined },
    contextValue: deploymentContext(node),
    collapsible: node.active ? 'expanded' : 'collapsed',
  };
}

/** Returns the facets that menus match: `deployment` with `.active`, `.deployable`, `.settingUp`. */
function deploymentContext({ active, uploads, isBeingSetUp: settingUp }: DeploymentNode): string {
  const facets = ['deployment'];
  if (active) facets.push('active');
  if (uploads) facets.push('deployable');
  if (settingUp) facets.push('settingUp');
  return facets.join('.');
}

function environmentIcon(type: string): TreeItemSpec['icon'] {
  switch (type) {
    case 'production':
      return { id: 'rocket', color: 'problemsWarningIcon.foreground' };
    case 'staging':
      return { id: 'beaker', color: 'charts.purple' };
    default:
      return { id: 'tools', color: 'charts.blue' };
  }
}

function buildTooltip({ branchName, build }: DeployBuildNode): string {
  const lines = [
    `The build of “${branchName}”, the deploy branch: ${buildAppearance(build).label}`,
    'Production serves it.',
    build.errorText,
  ];
  return lines.filter((line) => line !== undefined).join('\n');
}

function versionTooltip({ channel, isLatest }: VersionNode): string {
  const where = channel === undefined ? '' : `Channel: ${channel}\n`;
  return `${where}${isLatest ? 'It is the newest one.' : 'A newer one is available: “Change Version or Settings…”.'}`;
}

/** Puts the availability of a newer version first, because a narrow side bar cuts off the end. */
function versionFreshness({ channel, isLatest }: VersionNode): string {
  const where = channel === undefined ? '' : `channel ${channel}`;
  return [isLatest ? 'newest' : 'newer one available', where].filter((text) => text !== '').join(' · ');
}
