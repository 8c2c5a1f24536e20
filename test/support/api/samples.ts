/** A key that must appear in no log and no error. */
export const canary = 'sk-canary-7f3a9c1e';

/** One valid request and one documented answer per operation: what the table-driven tests send and answer with. */
export interface Sample {
  readonly request: {
    readonly params?: Readonly<Record<string, unknown>>;
    readonly query?: Readonly<Record<string, unknown>>;
    readonly body?: unknown;
  };
  /** The documented answer; missing where there is no body. */
  readonly answer?: unknown;
  /** A field of the answer without which it cannot be used, as a path. */
  readonly needed?: string;
}

const inDeployment = { deploymentId: '7' };
const inWorkbook = { deploymentId: '7', workbookId: 12 };
const byId = { id: '3' };
const inTenant = { embedTenantName: 'acme' };
const inGroup = { ...inTenant, id: '9' };
const ofIntegration = { integrationId: '4' };

const deployment = { id: '7', name: 'Sales', created_at: '2026-01-02T03:04:05Z' };
const branch = { id: 5, name: 'feature', parentBranch: 'main', lastHash: 'abc', isStagingEnvironmentEnabled: false };
const devBranch = { ...branch, name: 'dev-ada-feature', parentBranch: 'feature' };
const pageInfo = { hasNextPage: false, endCursor: null };
const pagination = { offset: 0, limit: 20, total: 1 };
const report = { id: '1', publicId: 'r1', name: 'Revenue', folderPath: [], canEdit: true, canManage: false };
const workbook = { id: '12', slug: 'weekly', name: 'Weekly', folderPath: [], user: { id: '1' } };
const dashboard = { dashboardDraft: { title: 'T', widgets: [] }, dashboardPublished: null };
const user = { id: '3', email: 'ada@acme.example' };
const attribute = { id: '3', name: 'region', type: 'string' };
const integration = { id: '3', name: 'sheets' };
const oidc = { id: '3', name: 'ci', issuer: 'https://issuer.example' };
const group = { id: '9', name: 'analysts' };
const item = { type: 'REPORT', id: '1' };
const tokens = { accessToken: 'a', refreshToken: 'b', expiresIn: 60 };
const chatParams = { agent: { accountName: 'acme', agentId: 2 }, deployment: { accountName: 'acme', deploymentId: 7 } };
const session = { externalId: 'ada' };

const deployments: Record<string, Sample> = {
  listDeployments: {
    request: { query: { offset: 0, limit: 20 } },
    answer: { data: { deployments: [deployment] }, pagination },
    needed: 'data.deployments',
  },
  updateDeployment: { request: { params: inDeployment, body: { releaseChannel: 'stable' } }, answer: deployment },
  deleteDeployment: { request: { params: inDeployment } },
  listDeploymentVersions: {
    request: { params: inDeployment },
    answer: { data: [{ releaseChannelVersion: 'repo/image:v1.2.3', version: '1.2.3', releaseChannel: 'stable' }] },
    needed: 'data.0.version',
  },
  createDeployment: {
    request: { body: { name: 'Sales', cloudProvider: 'aws', creationMethod: 'upload', deployMode: 'cli' } },
    answer: deployment,
    needed: 'id',
  },
  advanceCreationStep: { request: { params: inDeployment }, answer: { id: '7', creationStep: 'github' } },
  resetCreationStep: { request: { params: inDeployment }, answer: { id: '7', creationStep: 'start' } },
  startDbtSync: {
    request: { params: inDeployment, body: { branchName: 'main' } },
    answer: { branchName: 'dbt-sync', syncJobId: '1', workflowId: 'w' },
    needed: 'branchName',
  },
  listRegions: { request: {}, answer: [{ id: 'eu', name: 'Europe', cloudProvider: 'aws' }], needed: '0.id' },
  listEnvironments: {
    request: { params: inDeployment, query: { type: 'staging' } },
    answer: { data: { environments: [{ id: '1', name: 'main', type: 'production' }] }, pagination },
    needed: 'data.environments.0.type',
  },
  createMetadataToken: {
    request: {
      params: { ...inDeployment, environmentId: '1' },
      body: { security_context: { team: 'a' }, expires_in: 60 },
    },
    answer: { data: { token: 'jwt', created_at: '2026-01-01', expires_at: '2026-01-02' } },
    needed: 'data.token',
  },
};

const runtime: Record<string, Sample> = {
  getBuildStatus: {
    request: { params: inDeployment, query: { branchName: 'main' } },
    answer: { status: 'built', branchName: 'main' },
    needed: 'status',
  },
  getLogs: {
    request: { params: inDeployment, query: { source: 'dev', container: 'MAIN', limit: 10, from: '2026-01-01' } },
    answer: [{ date: '2026-01-01', pod: 'p', container: 'MAIN', message: 'hello' }],
    needed: '0.message',
  },
  listPods: { request: { params: inDeployment }, answer: [{ name: 'p', status: 'running' }], needed: '0.name' },
  getEnvVars: {
    request: { params: inDeployment },
    answer: { env_variables: [{ name: 'A', value: '***', isSecret: true }] },
    needed: 'env_variables',
  },
  setEnvVars: { request: { params: inDeployment, body: { env_variables: [{ name: 'A', value: 'b' }] } } },
};

const branches: Record<string, Sample> = {
  startDevMode: { request: { params: inDeployment, body: { branchName: 'main' } }, answer: devBranch, needed: 'name' },
  stopDevMode: { request: { params: inDeployment } },
  listBranches: { request: { params: inDeployment }, answer: { data: [branch, devBranch] }, needed: 'data.0.name' },
  createBranch: { request: { params: inDeployment, body: { name: 'feature' } }, answer: branch, needed: 'name' },
  deleteBranch: { request: { params: inDeployment, query: { branchName: 'dev-old' } } },
  setBranchStagingEnvironment: {
    request: { params: inDeployment, body: { enabled: true, branchName: 'feature' } },
    answer: { data: branch },
    needed: 'data.name',
  },
  commit: {
    request: { params: inDeployment, body: { message: 'm', branchName: 'dev-a' } },
    answer: { lastHash: 'abc' },
  },
  pull: { request: { params: inDeployment, body: { branchName: 'dev-a' } }, answer: {} },
  merge: { request: { params: inDeployment, body: { branchName: 'dev-a', squashCommits: true } }, answer: {} },
  mergeToDefault: { request: { params: inDeployment, body: { branchName: 'feature' } }, answer: {} },
  connectGithub: { request: { params: inDeployment, body: { owner: 'o', repo: 'r', branch: 'main' } }, answer: {} },
};

const dataModel: Record<string, Sample> = {
  listDataModelFiles: {
    request: { params: inDeployment, query: { branchName: 'main', withContent: true } },
    answer: { path: '/', type: 'directory', children: [{ path: '/model/a.yml', type: 'file', content: 'x' }] },
    needed: 'children.0.path',
  },
  writeDataModelFiles: {
    request: { params: inDeployment, body: { branchName: 'dev-a', files: [{ path: 'model/a.yml', content: 'x' }] } },
  },
  deleteDataModelFiles: {
    request: { params: inDeployment, body: { branchName: 'dev-a', files: [{ path: 'model/a.yml' }] } },
  },
  renameDataModelFiles: {
    request: {
      params: inDeployment,
      body: { branchName: 'dev-a', files: [{ path: 'model/a.yml', newPath: 'model/b.yml' }] },
    },
  },
  getFileHashes: {
    request: { params: inDeployment, query: { branchName: 'main' } },
    answer: { files: { 'model/a.yml': { hash: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' } } },
    needed: 'files',
  },
  validateDataModel: {
    request: { params: inDeployment, query: { devMode: true } },
    answer: { branchName: 'dev-a', valid: false, cubesCount: 0, errors: [{ fileName: 'a.yml', message: 'bad' }] },
    needed: 'valid',
  },
  startUpload: {
    request: { params: inDeployment, body: { branchName: 'dev-a' } },
    answer: { transaction: { id: 1 } },
    needed: 'transaction',
  },
  uploadFile: {
    request: {
      params: inDeployment,
      body: { transaction: { id: 1 }, fileName: 'model/a.yml', file: new Uint8Array([1, 2]) },
    },
  },
  finishUpload: {
    request: {
      params: inDeployment,
      body: {
        transaction: { id: 1 },
        files: { 'model/a.yml': { hash: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' } },
        autoRemoveFiles: false,
      },
    },
    answer: {},
  },
};

const workspace: Record<string, Sample> = {
  listFolders: {
    request: { params: inDeployment, query: { first: 5 } },
    answer: { items: [{ id: '1', name: 'F', folderPath: [] }], pageInfo, data: [], count: 1 },
    needed: 'items.0.name',
  },
  listReports: {
    request: { params: inDeployment, query: { first: 5, sortBy: 'name', search: 'rev' } },
    answer: { items: [report], pageInfo },
    needed: 'items.0.id',
  },
  upsertReportByPublicId: {
    request: { params: { ...inDeployment, publicId: 'r1' }, body: { name: 'Revenue' } },
    answer: report,
  },
  connectReportToWorkbook: {
    request: {
      params: { ...inDeployment, reportId: 1 },
      body: { externalWorkbookId: 'x', resultLocation: 'Sheet1!A1', endResultCell: 'C9' },
    },
    answer: report,
  },
  listWorkbooks: { request: { params: inDeployment }, answer: { items: [workbook], pageInfo }, needed: 'items.0.id' },
  upsertWorkbookBySlug: {
    request: { params: { ...inDeployment, slug: 'a/b c' }, body: { name: 'W' } },
    answer: workbook,
  },
  duplicateWorkbook: { request: { params: inWorkbook }, answer: workbook },
  updateWorkbookDashboard: {
    request: { params: inWorkbook, body: { dashboardDraft: { title: 'T' } } },
    answer: dashboard,
  },
  getWorkbookDashboard: { request: { params: inWorkbook }, answer: dashboard },
  publishDashboard: { request: { params: inWorkbook, body: { allowEmbed: true } }, answer: dashboard },
  setAiWidgetThread: { request: { params: inWorkbook, body: { threadId: 't', widgetId: 'w' } }, answer: { id: '1' } },
  getEmbedAccess: {
    request: { params: inWorkbook },
    answer: { data: [{ embedTenantName: 'acme', action: 'read' }] },
    needed: 'data.0.action',
  },
  setEmbedAccess: { request: { params: inWorkbook, body: { embedTenantName: 'acme', action: 'none' } } },
  bulkDeleteWorkspaceItems: {
    request: { params: inDeployment, body: { items: [item] } },
    answer: { results: [{ ...item, ok: true }] },
    needed: 'results.0.ok',
  },
  bulkMoveWorkspaceItems: {
    request: { params: inDeployment, body: { items: [item], targetFolderId: null } },
    answer: { results: [{ ...item, ok: false, error: 'not found' }] },
    needed: 'results',
  },
  listNotifications: {
    request: { params: inDeployment, query: { recipientEmail: 'a@b.example' } },
    answer: { data: [{ id: '1' }] },
    needed: 'data.0.id',
  },
  createNotification: { request: { params: inDeployment, body: { dashboardPublicId: 'd1' } }, answer: { id: '1' } },
  updateNotification: { request: { params: { ...inDeployment, id: 1 }, body: { name: 'N' } }, answer: { id: '1' } },
  deleteNotification: { request: { params: { ...inDeployment, id: 1 } } },
};

const administration: Record<string, Sample> = {
  createUser: { request: { body: { email: 'ada@acme.example' } }, answer: user },
  updateUser: { request: { params: byId, body: { firstName: 'Ada' } }, answer: user },
  deleteUser: { request: { params: byId } },
  bulkUsers: {
    request: { body: { action: 'DEACTIVATE', ids: ['3', 4] } },
    answer: { results: [{ id: '3', ok: true }] },
    needed: 'results.0.id',
  },
  listUserAttributes: { request: {}, answer: { data: [attribute] }, needed: 'data.0.name' },
  createUserAttribute: { request: { body: { name: 'region', type: 'string' } }, answer: attribute },
  updateUserAttribute: { request: { params: byId, body: { displayName: 'Region' } }, answer: attribute },
  listUserAttributeValues: {
    request: { params: { userId: '3' } },
    answer: { data: [{ attributeId: '3', value: 'eu' }] },
    needed: 'data',
  },
  upsertUserAttributeValue: {
    request: { body: { userId: '3', attributeId: '3', value: ['eu'] } },
    answer: { id: '1' },
  },
  getTenantSettings: { request: {}, answer: { auditLog: true } },
  updateTenantSettings: { request: { body: { supportAccess: false } }, answer: { supportAccess: false } },
  getAppConfig: { request: {}, answer: { embedding: { locale: 'en' } } },
  getApiDescription: { request: {}, answer: { openapi: '3.1.0', paths: {} }, needed: 'paths' },
  listOauthIntegrations: { request: {}, answer: { data: [integration] }, needed: 'data.0.id' },
  createOauthIntegration: { request: { body: { name: 'sheets' } }, answer: integration },
  getOauthIntegration: { request: { params: byId }, answer: integration, needed: 'id' },
  updateOauthIntegration: { request: { params: byId, body: { name: 'sheets' } }, answer: integration },
  deleteOauthIntegration: { request: { params: byId } },
  listUserOauthTokens: { request: {}, answer: { data: [{ integrationId: '4' }] }, needed: 'data.0.integrationId' },
  getUserOauthToken: { request: { params: ofIntegration }, answer: { integrationId: '4' } },
  deleteUserOauthToken: { request: { params: ofIntegration } },
  initiateUserOauthToken: { request: { params: ofIntegration }, answer: { url: 'https://id.example' }, needed: 'url' },
  listOidcTokenConfigs: { request: {}, answer: { data: [oidc] }, needed: 'data.0.id' },
  createOidcTokenConfig: { request: { body: { name: 'ci' } }, answer: oidc },
  getOidcTokenConfig: { request: { params: byId }, answer: oidc, needed: 'id' },
  updateOidcTokenConfig: { request: { params: byId, body: { enabled: true } }, answer: oidc },
  deleteOidcTokenConfig: { request: { params: byId } },
  getGithubStatus: { request: {}, answer: { connected: true } },
  listGithubInstallations: { request: {}, answer: { data: [{ id: '1', account: 'acme' }] }, needed: 'data.0.id' },
  listGithubRepositories: {
    request: { params: { installationId: 1 } },
    answer: { data: [{ name: 'r' }] },
    needed: 'data.0.name',
  },
  listGithubBranches: {
    request: { params: { owner: 'o', repo: 'r' } },
    answer: { data: [{ name: 'main' }] },
    needed: 'data.0.name',
  },
  listScimUsers: {
    request: { query: { count: 10, startIndex: 1 } },
    answer: { totalResults: 1, Resources: [{ id: '1' }] },
    needed: 'Resources.0.id',
  },
  listScimGroups: { request: {}, answer: { totalResults: 1, Resources: [{ id: '1' }] }, needed: 'Resources.0.id' },
  exportAuditLog: { request: { query: { start: '2026-01-01', eventName: 'login' } }, answer: 'time,event\r\n' },
};

const embedding: Record<string, Sample> = {
  listEmbedTenants: { request: {}, answer: { data: [{ name: 'acme' }] }, needed: 'data.0.name' },
  listEmbedTenantUsers: { request: { params: inTenant }, answer: { data: [{ id: '1' }] }, needed: 'data.0.id' },
  deleteEmbedTenant: { request: { params: inTenant } },
  createEmbedTenantGroup: { request: { params: inTenant, body: { name: 'analysts' } }, answer: group },
  getEmbedTenantGroup: { request: { params: inGroup }, answer: group, needed: 'id' },
  updateEmbedTenantGroup: { request: { params: inGroup, body: { name: 'a' } }, answer: group },
  deleteEmbedTenantGroup: { request: { params: inGroup } },
  listEmbedTenantGroupUsers: { request: { params: inGroup }, answer: { data: [{ id: '1' }] }, needed: 'data.0.id' },
  addEmbedTenantGroupUsers: { request: { params: inGroup, body: { userIds: ['1'] } } },
  removeEmbedTenantGroupUsers: { request: { params: inGroup, body: { userIds: ['1'] } } },
  setDashboardEmbedding: {
    request: { params: { publicId: 'd1' }, body: { enabled: true } },
    answer: { enabled: true },
  },
  runPythonReport: {
    request: { params: { publicId: 'd1' }, body: { filters: [{ member: 'a' }] } },
    answer: { status: 'ok' },
  },
};

const signIn: Record<string, Sample> = {
  startDeviceSignIn: {
    request: { body: { client_id: 'c' } },
    answer: { deviceCode: 'd', userCode: 'U', verificationUri: 'https://id.example' },
    needed: 'userCode',
  },
  pollDeviceSignIn: {
    request: {
      body: { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: canary, client_id: 'c' },
    },
    answer: tokens,
    needed: 'accessToken',
  },
  refreshSignIn: {
    request: { body: { grant_type: 'refresh_token', refresh_token: canary } },
    answer: tokens,
    needed: 'accessToken',
  },
};

const chat: Record<string, Sample> = {
  streamChatByAgent: {
    request: { params: chatParams.agent, body: { input: 'hi', sessionSettings: session } },
    answer: '{"id":"__cutoff__"}\n',
  },
  streamChatByDeployment: {
    request: { params: chatParams.deployment, body: { input: 'hi' } },
    answer: '{"id":"__cutoff__"}\n',
  },
  abortChatByAgent: { request: { params: chatParams.agent, body: { chatId: 'c', sessionSettings: session } } },
  abortChatByDeployment: { request: { params: chatParams.deployment, body: { chatId: 'c' } } },
};

export const samples: Readonly<Record<string, Sample>> = {
  ...deployments,
  ...runtime,
  ...branches,
  ...dataModel,
  ...workspace,
  ...administration,
  ...embedding,
  ...signIn,
  ...chat,
};
