import { setBranchStagingEnvironment } from '#api/resources/branches.ts';
import { abortChatByAgent } from '#api/resources/chat.ts';
import type { Client } from '#api/client/client.ts';
import { updateWorkbookDashboard } from '#api/resources/dashboards.ts';
import {
  createDeployment,
  deleteDeployment,
  listDeployments,
  listDeploymentVersions,
  listRegions,
  startDbtSync,
  updateDeployment,
} from '#api/resources/deployments.ts';
import { deleteEmbedTenant } from '#api/resources/embed.ts';
import { createMetadataToken, listEnvironments } from '#api/resources/environments.ts';
import { listFolders } from '#api/resources/folders.ts';
import { connectReportToWorkbook, listReports } from '#api/resources/reports.ts';
import { getBuildStatus, setEnvVars } from '#api/resources/runtime.ts';
import { listScimUsers } from '#api/resources/scim.ts';
import { duplicateWorkbook } from '#api/resources/workbooks.ts';
import { bulkMoveWorkspaceItems } from '#api/resources/workspace.ts';

/**
 * A second reading of the platform's documentation: what the client sends and reads, with paths, fields and responses copied by
 * hand from its sentences, without the client's constants. `test/unit/platform/contract` checks the local platform in the same
 * way.
 */
export interface Sentence {
  readonly says: string;
  readonly send: (client: Client) => Promise<unknown>;
  /** `METHOD /path?query` */
  readonly line: string;
  readonly body?: unknown;
  /** Status, and JSON unless it has none. */
  readonly answer: readonly [number, object?];
  /** The result for the caller; absent if only success matters. */
  readonly gets?: object;
}

export const params = { deploymentId: 7 };
export const branch = {
  id: 3,
  name: 'dev-ann',
  parentBranch: 'main',
  lastHash: '9f2c',
  isStagingEnvironmentEnabled: true,
};
const d7 = '/api/v1/deployments/7';
const b7 = '/build/api/v1/deployments/7';

export const SENTENCES: readonly Sentence[] = [
  {
    says: 'List deployments: query offset and limit; {data:{deployments:[…]}, pagination}',
    send: (client) => client.call(listDeployments, { query: { offset: 0, limit: 20 } }),
    line: 'GET /api/v1/deployments?offset=0&limit=20',
    answer: [
      200,
      {
        data: { deployments: [{ id: '7', name: 'Shop', created_at: '2026-01-02T03:04:05Z' }] },
        pagination: { offset: 0, limit: 20, total: 1 },
      },
    ],
    gets: {
      data: { deployments: [{ id: '7', name: 'Shop', created_at: '2026-01-02T03:04:05Z' }] },
      pagination: { offset: 0, limit: 20, total: 1 },
    },
  },
  {
    says: 'List environments: type (production, staging, development); api_credentials has rest.url, sql.host, sql.port',
    send: (client) => client.call(listEnvironments, { params, query: { type: 'staging' } }),
    line: `GET ${d7}/environments?type=staging`,
    answer: [
      200,
      {
        data: {
          environments: [
            {
              id: 'e1',
              name: 'pricing',
              type: 'staging',
              api_credentials: {
                rest: { url: 'https://rest.example/v1' },
                sql: { host: 'sql.example', port: 15432 },
              },
            },
          ],
        },
        pagination: { offset: 0, limit: 20, total: 1 },
      },
    ],
    gets: {
      data: {
        environments: [
          {
            id: 'e1',
            name: 'pricing',
            type: 'staging',
            api_credentials: { rest: { url: 'https://rest.example/v1' }, sql: { host: 'sql.example', port: 15432 } },
          },
        ],
      },
    },
  },
  {
    says: 'Create metadata token: security_context is required, expires_in is in seconds; {data: metadata token}',
    send: (client) =>
      client.call(createMetadataToken, {
        params: { deploymentId: 7, environmentId: 'e1' },
        body: { security_context: { tenant: 4 }, expires_in: 3600 },
      }),
    line: `POST ${d7}/environments/e1/tokens-for-meta-sync`,
    body: { security_context: { tenant: 4 }, expires_in: 3600 },
    answer: [200, { data: { token: 'a.b.c', created_at: '2026-01-02T03:04:05Z', expires_at: '2026-01-02T04:04:05Z' } }],
    gets: { data: { token: 'a.b.c', expires_at: '2026-01-02T04:04:05Z' } },
  },
  {
    says: 'Enable a branch staging environment: enabled, and one of branchName or branchId; {data: branch}',
    send: (client) =>
      client.call(setBranchStagingEnvironment, { params, body: { enabled: true, branchName: 'pricing' } }),
    line: `PUT ${b7}/branches/staging-environment`,
    body: { enabled: true, branchName: 'pricing' },
    answer: [200, { data: branch }],
    gets: { data: branch },
  },
  {
    says: 'List deployment versions: {data:[version entry]}',
    send: (client) => client.call(listDeploymentVersions, { params }),
    line: `GET ${d7}/versions`,
    answer: [
      200,
      {
        data: [
          {
            releaseChannelVersion: 'registry.example/engine:v1.6.43',
            version: '1.6.43',
            releaseChannel: 'stable',
            isLatestInChannel: true,
            isCurrent: false,
          },
        ],
      },
    ],
    gets: { data: [{ version: '1.6.43', releaseChannel: 'stable', isLatestInChannel: true, isCurrent: false }] },
  },
  {
    says: 'Update a deployment: releaseChannelVersion takes <version>, v<version> and <image_repo>:v<version>',
    send: (client) => client.call(updateDeployment, { params, body: { releaseChannelVersion: 'v1.6.43' } }),
    line: `PUT ${d7}`,
    body: { releaseChannelVersion: 'v1.6.43' },
    answer: [200, {}],
  },
  {
    says: 'Delete a deployment: DELETE /api/v1/deployments/{deploymentId}',
    send: (client) => client.call(deleteDeployment, { params }),
    line: `DELETE ${d7}`,
    answer: [204],
  },
  {
    says: 'Create a deployment: POST /build/api/v1/deployments/ with a trailing slash',
    send: (client) =>
      client.call(createDeployment, { body: { name: 'New', cloudProvider: 'aws', creationMethod: 'upload' } }),
    line: 'POST /build/api/v1/deployments/',
    body: { name: 'New', cloudProvider: 'aws', creationMethod: 'upload' },
    answer: [200, { id: '8', name: 'New' }],
  },
  {
    says: 'Regions: GET /api/v1/regions/ with a trailing slash; [{id, name, cloudProvider}]',
    send: (client) => client.call(listRegions, {}),
    line: 'GET /api/v1/regions/',
    answer: [200, [{ id: 'eu', name: 'Europe', cloudProvider: 'aws' }]],
    gets: [{ id: 'eu', name: 'Europe', cloudProvider: 'aws' }],
  },
  {
    says: 'Start a dbt sync: input {branchName}; response {branchName, syncJobId, workflowId}',
    send: (client) => client.call(startDbtSync, { params, body: { branchName: 'main' } }),
    line: `POST ${d7}/dbt-sync`,
    body: { branchName: 'main' },
    answer: [200, { branchName: 'main', syncJobId: 's1', workflowId: 'w1' }],
    gets: { branchName: 'main', syncJobId: 's1', workflowId: 'w1' },
  },
  {
    says: 'Build status: query branchName; {status, branchName, errorText?}',
    send: (client) => client.call(getBuildStatus, { params, query: { branchName: 'main' } }),
    line: `GET ${d7}/build-status?branchName=main`,
    answer: [200, { status: 'failed', branchName: 'main', errorText: 'orders.yml: no such column' }],
    gets: { status: 'failed', branchName: 'main', errorText: 'orders.yml: no such column' },
  },
  {
    says: 'Environment variables: PUT {env_variables:[{name, value, isSecret?}]} replaces the set',
    send: (client) =>
      client.call(setEnvVars, { params, body: { env_variables: [{ name: 'DB', value: 'x', isSecret: true }] } }),
    line: `PUT ${d7}/env-vars`,
    body: { env_variables: [{ name: 'DB', value: 'x', isSecret: true }] },
    answer: [200, {}],
  },
  {
    says: 'Update workbook dashboard: WorkbookDashboardInput has dashboardDraft; the answer has draft and published',
    send: (client) =>
      client.call(updateWorkbookDashboard, {
        params: { deploymentId: 7, workbookId: 5 },
        body: { dashboardDraft: { title: 'Sales', kind: 'CLASSIC', widgets: [] } },
      }),
    line: `PUT ${d7}/workbooks/5/dashboard`,
    body: { dashboardDraft: { title: 'Sales', kind: 'CLASSIC', widgets: [] } },
    answer: [200, { dashboardDraft: { title: 'Sales', kind: 'CLASSIC', widgets: [] }, dashboardPublished: null }],
    gets: { dashboardDraft: { title: 'Sales', kind: 'CLASSIC', widgets: [] }, dashboardPublished: null },
  },
  {
    says: 'Folders: cursor list with query first and after; items and pageInfo',
    send: (client) => client.call(listFolders, { params, query: { first: 2, after: 'c1' } }),
    line: `GET ${d7}/folders?first=2&after=c1`,
    answer: [
      200,
      { items: [{ id: 'f1', name: 'Sales', folderPath: [] }], pageInfo: { hasNextPage: false, endCursor: null } },
    ],
    gets: { items: [{ id: 'f1', name: 'Sales' }], pageInfo: { hasNextPage: false } },
  },
  {
    says: 'Reports: query first, after, sortBy, search, folderId, externalWorkbookId',
    send: (client) => client.call(listReports, { params, query: { first: 5, sortBy: 'updatedAt', search: 'net' } }),
    line: `GET ${d7}/reports?first=5&sortBy=updatedAt&search=net`,
    answer: [200, { items: [{ id: 'r1', name: 'Net' }], pageInfo: { hasNextPage: true, endCursor: 'c2' } }],
    gets: { items: [{ id: 'r1', name: 'Net' }], pageInfo: { hasNextPage: true, endCursor: 'c2' } },
  },
  {
    says: 'Connect a report: body {externalWorkbookId, resultLocation, endResultCell}; returns Report',
    send: (client) =>
      client.call(connectReportToWorkbook, {
        params: { deploymentId: 7, reportId: 'r1' },
        body: { externalWorkbookId: 'x1', resultLocation: 'A1', endResultCell: 'C9' },
      }),
    line: `PUT ${d7}/reports/r1/connect-workbook`,
    body: { externalWorkbookId: 'x1', resultLocation: 'A1', endResultCell: 'C9' },
    answer: [200, { id: 'r1', name: 'Net' }],
  },
  {
    says: 'Duplicate a workbook: optional body {shared: boolean}',
    send: (client) =>
      client.call(duplicateWorkbook, { params: { deploymentId: 7, workbookId: 5 }, body: { shared: true } }),
    line: `POST ${d7}/workbooks/5/duplicate`,
    body: { shared: true },
    answer: [200, { id: 6, name: 'Copy' }],
  },
  {
    says: 'Bulk move: items are {type, reference} with type FOLDER, WORKBOOK or REPORT; failures are reported per item',
    send: (client) =>
      client.call(bulkMoveWorkspaceItems, {
        params,
        body: { items: [{ type: 'REPORT', id: 'r1' }], targetFolderId: 'f1' },
      }),
    line: `POST ${d7}/workspace/bulk-move`,
    body: { items: [{ type: 'REPORT', id: 'r1' }], targetFolderId: 'f1' },
    answer: [200, { results: [{ type: 'REPORT', id: 'r1', ok: false, error: 'No access' }] }],
    gets: { results: [{ type: 'REPORT', id: 'r1', ok: false, error: 'No access' }] },
  },
  {
    says: 'Deleting an embed tenant: no trailing slash; responds 204',
    send: (client) => client.call(deleteEmbedTenant, { params: { embedTenantName: 'acme' } }),
    line: 'DELETE /api/v1/embed-tenants/acme',
    answer: [204],
  },
  {
    says: 'SCIM users: query count and startIndex',
    send: (client) => client.call(listScimUsers, { query: { count: 10, startIndex: 1 } }),
    line: 'GET /api/scim/v2/Users?count=10&startIndex=1',
    answer: [200, { Resources: [], totalResults: 0 }],
  },
  {
    says: 'Abort a chat: chatId, and sessionSettings as in the stream; 204 without a body',
    send: (client) =>
      client.call(abortChatByAgent, {
        params: { accountName: 'acme', agentId: 2 },
        body: { chatId: 'c1', sessionSettings: { externalId: 'ann' } },
      }),
    line: 'POST /api/v1/public/acme/agents/2/chat/abort',
    body: { chatId: 'c1', sessionSettings: { externalId: 'ann' } },
    answer: [204],
  },
];
