import type { Client } from '#api/client/client.ts';
import { type Deployment, listDeployments } from './deployments.ts';
import { type Environment, listEnvironments } from './environments.ts';
import { type Folder, listFolders } from './folders.ts';
import type { RequestOf } from '#api/operation.ts';
import { cursorPages, distinct, offsetPages, type PageLoader, scimPages } from './pagination.ts';
import { listReports, type Report } from './reports.ts';
import { listScimGroups, listScimUsers, type ScimGroup, type ScimUser } from './scim.ts';
import { listWorkbooks, type Workbook } from './workbooks.ts';

/** Page loaders for the paged lists: use `listItems(deploymentPages(client))`, or load single pages for a tree. */

type DeploymentId = RequestOf<typeof listFolders>['params']['deploymentId'];
export type EnvironmentType = NonNullable<RequestOf<typeof listEnvironments>['query']>['type'];

/** See docs/platform-api.md#listdeployments. */
export function deploymentPages(client: Client): PageLoader<Deployment> {
  const load = offsetPages<Deployment>(async (query, signal) => {
    const answer = await client.call(listDeployments, { query }, { signal });
    return { items: answer.data.deployments, pagination: answer.pagination };
  });
  return distinct(load, (deployment) => deployment.id);
}

/** See docs/platform-api.md#listenvironments. */
export function environmentPages(
  client: Client,
  deploymentId: DeploymentId,
  type?: EnvironmentType,
): PageLoader<Environment> {
  const load = offsetPages<Environment>(async (query, signal) => {
    const answer = await client.call(
      listEnvironments,
      { params: { deploymentId }, query: { ...query, type } },
      { signal },
    );
    return { items: answer.data.environments, pagination: answer.pagination };
  });
  return distinct(load, (environment) => environment.id);
}

/** See docs/platform-api.md#listfolders. */
export function folderPages(client: Client, deploymentId: DeploymentId): PageLoader<Folder> {
  return cursorPages((query, signal) => client.call(listFolders, { params: { deploymentId }, query }, { signal }));
}

/** See docs/platform-api.md#listreports. */
export function reportPages(client: Client, deploymentId: DeploymentId): PageLoader<Report> {
  return cursorPages((query, signal) => client.call(listReports, { params: { deploymentId }, query }, { signal }));
}

/** See docs/platform-api.md#listworkbooks. */
export function workbookPages(client: Client, deploymentId: DeploymentId): PageLoader<Workbook> {
  return cursorPages((query, signal) => client.call(listWorkbooks, { params: { deploymentId }, query }, { signal }));
}

/** See docs/platform-api.md#listscimusers. */
export function scimUserPages(client: Client): PageLoader<ScimUser> {
  return scimPages((query, signal) => client.call(listScimUsers, { query }, { signal }));
}

/** See docs/platform-api.md#listscimgroups. */
export function scimGroupPages(client: Client): PageLoader<ScimGroup> {
  return scimPages((query, signal) => client.call(listScimGroups, { query }, { signal }));
}
