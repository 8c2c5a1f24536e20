import type { Sample } from './sample.ts';

const byId = { id: '3' };
const inTenant = { embedTenantName: 'acme' };
const inGroup = { ...inTenant, id: '9' };
const ofIntegration = { integrationId: '4' };
const user = { id: '3', email: 'ada@acme.example' };
const attribute = { id: '3', name: 'region', type: 'string' };
const integration = { id: '3', name: 'sheets' };
const oidc = { id: '3', name: 'ci', issuer: 'https://issuer.example' };
const group = { id: '9', name: 'analysts' };

const administration: Record<string, Sample> = {
  createUser: { request: { body: { email: 'ada@acme.example' } }, answer: user },
  updateUser: { request: { params: byId, body: { firstName: 'Ada' } }, answer: user },
  deleteUser: { request: { params: byId } },
  bulkUsers: {
    request: { body: { action: 'DEACTIVATE', ids: ['3', 4] } },
    answer: { results: [{ id: '3', ok: true }] },
  },
  listUserAttributes: { request: {}, answer: { data: [attribute] } },
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
  listGithubInstallations: { request: {}, answer: { data: [{ id: '1', account: 'acme' }] } },
  listGithubRepositories: {
    request: { params: { installationId: 1 } },
    answer: { data: [{ name: 'r' }] },
  },
  listGithubBranches: {
    request: { params: { owner: 'o', repo: 'r' } },
    answer: { data: [{ name: 'main' }] },
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

/** Users, settings, integrations and embedding. */
export const accountSamples: Readonly<Record<string, Sample>> = { ...administration, ...embedding };
