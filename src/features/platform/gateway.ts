import * as branchApi from '#api/resources/branches.ts';
import type { AccountClients, Client } from '#api/client/client.ts';
import { type Deployment as ApiDeployment, listDeploymentVersions } from '#api/resources/deployments.ts';
import { type EmbedTenant, listEmbedTenants } from '#api/resources/embed.ts';
import type { Environment as ApiEnvironment } from '#api/resources/environments.ts';
import { deploymentPages, environmentPages, type EnvironmentType } from '#api/resources/lists.ts';
import { collect } from '#api/resources/pagination.ts';
import { getBuildStatus, listPods, type Pod } from '#api/resources/runtime.ts';
import { shownRows } from '#shell/shown-rows.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import type { Branch } from './branches.ts';
import type { Deployment, Environment, VersionEntry } from './deployments.ts';

/** Rows per request: fewer round trips than with the default of 20, and still small responses. */
const pageSize = 100;
/** The maximum number of deployments or environments that are listed. */
const ceiling = 5000;

/** Reads all deployments that the account can see (docs/platform-api.md#listdeployments), page by page. */
export async function fetchDeployments(client: Client, signal?: AbortSignal): Promise<readonly Deployment[]> {
  return (await listedDeployments(client, signal)).map(
    ({ id, name, deployMode, creationMethod, creationStep, created_at: createdAt }) => ({
      id,
      name,
      deployMode,
      creationStep,
      creationMethod,
      createdAt,
    }),
  );
}

/** Reads the same deployments with all fields that the platform returns. */
export async function listedDeployments(client: Client, signal?: AbortSignal): Promise<readonly ApiDeployment[]> {
  return (await collect(deploymentPages(client), { pageSize, maxItems: ceiling, signal })).items;
}

/** Reads all environments of a deployment (docs/platform-api.md#listenvironments), page by page. */
export async function fetchEnvironments(
  client: Client,
  deploymentId: string,
  signal?: AbortSignal,
  type?: EnvironmentType,
): Promise<readonly Environment[]> {
  const pages = environmentPages(client, deploymentId, type);
  const { items } = await collect(pages, { pageSize, maxItems: ceiling, signal });
  return items.map(toEnvironment);
}

function toEnvironment({ id, name, type, branchName, api_credentials: api }: ApiEnvironment): Environment {
  return { id, name, type, branchName, restUrl: api?.rest?.url, sqlHost: api?.sql?.host, sqlPort: api?.sql?.port };
}

/** Reads the versions that a deployment can run (docs/platform-api.md#listdeploymentversions). */
export async function fetchVersions(
  client: Client,
  deploymentId: string,
  signal?: AbortSignal,
): Promise<readonly VersionEntry[]> {
  const { data } = await client.call(listDeploymentVersions, { params: { deploymentId } }, { signal });
  return data.map((entry) => ({
    version: entry.version,
    channel: entry.releaseChannel,
    isCurrent: entry.isCurrent ?? false,
    isLatestInChannel: entry.isLatestInChannel ?? false,
  }));
}

/** Reads the branches of a deployment (docs/platform-api.md#branches-and-dev-mode). */
export async function fetchBranches(
  client: Client,
  deploymentId: string,
  signal?: AbortSignal,
): Promise<readonly Branch[]> {
  return (await listedBranches(client, deploymentId, signal)).map(toBranch);
}

/** Reads the same branches with all fields that the platform returns. */
export async function listedBranches(
  client: Client,
  deploymentId: string,
  signal?: AbortSignal,
): Promise<readonly branchApi.Branch[]> {
  return (await client.call(branchApi.listBranches, { params: { deploymentId } }, { signal })).data;
}

/** Converts a branch of a response; the variants of a missing parent become `undefined`. */
export function toBranch(branch: branchApi.Branch): Branch {
  return {
    name: branch.name,
    id: branch.id,
    parentBranch: branchApi.parentOf(branch),
    lastHash: branch.lastHash,
    staging: branch.isStagingEnvironmentEnabled ?? false,
  };
}

/** Reads the embed tenants of a tenant; `undefined` if the platform does not list them, so that the user must type a name. */
export async function fetchEmbedTenants(
  data: AccountClients,
  accountId: string,
): Promise<readonly EmbedTenant[] | undefined> {
  return shownRows(async () => data.client(accountId).call(listEmbedTenants, {}));
}

/** Reads the pods of a deployment (docs/platform-api.md#listpods). */
export async function fetchPods(
  data: AccountClients,
  { accountId, deploymentId }: DeploymentTarget,
): Promise<readonly Pod[]> {
  return data.client(accountId).call(listPods, { params: { deploymentId } });
}

/** Reads the build state of a branch; without a name, of the caller's active branch. */
export async function fetchBuildStatus(
  client: Client,
  deploymentId: string,
  branchName: string | undefined,
  signal?: AbortSignal,
): Promise<{
  readonly status: string;
  readonly branchName: string | undefined;
  readonly errorText: string | undefined;
}> {
  const query = branchName === undefined ? {} : { branchName };
  const {
    status,
    branchName: name,
    errorText,
  } = await client.call(getBuildStatus, { params: { deploymentId }, query }, { signal });
  return { status, branchName: name, errorText };
}

/** Reads the branch of a build status without a name: the key's active dev branch, or else the deploy branch. */
export async function fetchKeyBranch(client: Client, deploymentId: string, signal?: AbortSignal): Promise<string> {
  return (await fetchBuildStatus(client, deploymentId, undefined, signal)).branchName ?? '';
}
