import { exportAuditLog } from '#api/resources/audit.ts';
import { readCapabilities } from '#api/description/capabilities.ts';
import * as oauth from '#api/resources/oauth.ts';
import * as oidc from '#api/resources/oidc.ts';
import { operations } from '#api/resources/operations.ts';
import * as scim from '#api/resources/scim.ts';
import * as signIn from '#api/resources/sign-in.ts';
import * as tenant from '#api/resources/tenant.ts';
import * as attributes from '#api/resources/user-attributes.ts';
import * as users from '#api/resources/users.ts';
import { demo } from '#platform/seed/names.ts';
import { known, step, type Step, streamed, type World } from './step.ts';

const byId = (name: string) => (world: World) => ({ params: { id: known(world, name) } });
const byIntegration = (world: World) => ({ params: { integrationId: known(world, 'integration') } });

/** Stores the id of a created object under a name. */
function learning<const A extends { readonly id?: string | undefined }>(name: string): (world: World, answer: A) => A {
  return (world, answer) => {
    world.known.set(name, answer.id ?? '');
    return answer;
  };
}

const people: readonly Step[] = [
  step(users.createUser, {
    request: { body: { email: 'emmy@shop.example', firstName: 'Emmy', groups: ['analysts'] } },
    look: learning('user'),
    expected: { email: 'emmy@shop.example', firstName: 'Emmy' },
  }),
  step(users.updateUser, {
    request: (world) => ({ ...byId('user')(world), body: { lastName: 'Noether' } }),
    expected: { firstName: 'Emmy', lastName: 'Noether' },
  }),
  step(attributes.createUserAttribute, {
    request: { body: { name: 'seat', type: 'number' } },
    look: learning('attribute'),
    expected: { name: 'seat', type: 'number' },
  }),
  step(attributes.updateUserAttribute, {
    request: (world) => ({ ...byId('attribute')(world), body: { displayName: 'Seat' } }),
    expected: { name: 'seat', displayName: 'Seat' },
  }),
  step(attributes.listUserAttributes, {
    request: {},
    // The last one is that of the previous step.
    look: (_world, { data }) => [data.length, ...data.slice(0, 5).map(({ type }) => type)],
    expected: [6, 'string', 'number', 'boolean', 'string_array', 'number_array'],
  }),
  step(attributes.upsertUserAttributeValue, {
    request: (world) => ({ body: { userId: known(world, 'user'), attributeId: known(world, 'attribute'), value: 4 } }),
    expected: { name: 'seat', value: 4 },
  }),
  step(attributes.listUserAttributeValues, {
    request: (world) => ({ params: { userId: known(world, 'user') } }),
    expected: { data: [{ name: 'seat', value: 4 }] },
  }),
  step(scim.listScimUsers, {
    request: { query: { count: 1, startIndex: 4 } },
    expected: { totalResults: 4, startIndex: 4, Resources: [{ userName: 'emmy@shop.example', active: true }] },
  }),
  step(scim.listScimGroups, {
    request: { query: { count: 10, startIndex: 1 } },
    expected: { totalResults: 2, Resources: [{ displayName: 'developers' }, { displayName: 'analysts' }] },
  }),
  step(users.bulkUsers, {
    request: (world) => ({ body: { action: 'DEACTIVATE' as const, ids: [known(world, 'user'), 9999] } }),
    expected: { results: [{ ok: true }, { id: '9999', ok: false }] },
  }),
  step(users.deleteUser, {
    request: byId('user'),
    look: async (world) => (await world.client.call(scim.listScimUsers, {})).totalResults,
    expected: 3,
  }),
];

const settings: readonly Step[] = [
  step(tenant.updateTenantSettings, { request: { body: { supportAccess: true } }, expected: { supportAccess: true } }),
  step(tenant.getTenantSettings, { request: {}, expected: { supportAccess: true, auditLog: true } }),
  step(tenant.getAppConfig, { request: {}, expected: { embedding: {}, creatorMode: {} } }),
  step(tenant.getApiDescription, {
    request: {},
    look: async (world) => {
      const capabilities = await readCapabilities(world.client);
      const documented = operations.filter((op) => !op.described);
      return documented.filter((op) => !capabilities.has({ method: op.method, path: op.path })).map(({ id }) => id);
    },
    expected: [],
  }),
  streamed(exportAuditLog, {
    request: { query: { eventName: 'user.created', userEmail: demo.owner, search: 'emmy' } },
    look: (_world, text) => text.trim().split('\r\n').length,
    // The header row, and the user who was created above.
    expected: 2,
  }),
];

const integrations: readonly Step[] = [
  step(oauth.createOauthIntegration, {
    request: {
      body: { name: 'Docs', provider: 'google', authorizationUrl: 'https://id.example/auth', clientSecret: 'hidden' },
    },
    look: (world, answer) => ({ ...learning('integration')(world, answer), tellsSecret: 'clientSecret' in answer }),
    expected: { name: 'Docs', provider: 'google', tellsSecret: false },
  }),
  step(oauth.updateOauthIntegration, {
    request: (world) => ({ ...byId('integration')(world), body: { name: 'Documents' } }),
    expected: { name: 'Documents', provider: 'google' },
  }),
  step(oauth.getOauthIntegration, { request: byId('integration'), expected: { name: 'Documents' } }),
  step(oauth.listOauthIntegrations, {
    request: {},
    look: (_world, { data }) => data.map(({ name }) => name),
    expected: ['Spreadsheets', 'Documents'],
  }),
  step(oauth.initiateUserOauthToken, {
    request: (world) => ({ ...byIntegration(world), body: { redirectUri: 'https://app.example/back' } }),
    look: (_world, { url }) => [new URL(url).origin, new URL(url).searchParams.get('redirect_uri')],
    expected: ['https://id.example', 'https://app.example/back'],
  }),
  step(oauth.getUserOauthToken, { request: byIntegration, expected: { status: 'pending' } }),
  step(oauth.listUserOauthTokens, {
    request: {},
    look: (_world, { data }) => data.map(({ status }) => status),
    expected: ['active', 'pending'],
  }),
  step(oauth.deleteUserOauthToken, {
    request: byIntegration,
    look: async (world) => (await world.client.call(oauth.listUserOauthTokens, {})).data.length,
    expected: 1,
  }),
  step(oauth.deleteOauthIntegration, {
    request: byId('integration'),
    look: async (world) => (await world.client.call(oauth.listOauthIntegrations, {})).data.length,
    expected: 1,
  }),
  step(oidc.createOidcTokenConfig, {
    request: { body: { name: 'Lake', issuer: 'https://issuer.example', audience: 'lake' } },
    look: learning('oidc'),
    expected: { name: 'Lake', audience: 'lake' },
  }),
  step(oidc.updateOidcTokenConfig, {
    request: (world) => ({ ...byId('oidc')(world), body: { enabled: false } }),
    expected: { name: 'Lake', enabled: false },
  }),
  step(oidc.getOidcTokenConfig, { request: byId('oidc'), expected: { name: 'Lake', enabled: false } }),
  step(oidc.listOidcTokenConfigs, {
    request: {},
    look: (_world, { data }) => data.map(({ name }) => name),
    expected: ['Warehouse', 'Lake'],
  }),
  step(oidc.deleteOidcTokenConfig, {
    request: byId('oidc'),
    look: async (world) => (await world.client.call(oidc.listOidcTokenConfigs, {})).data.length,
    expected: 1,
  }),
];

const anonymous = (world: World): World['anonymous'] => world.anonymous;

const signingIn: readonly Step[] = [
  step(signIn.startDeviceSignIn, {
    request: { body: { client_id: 'modelbench' } },
    as: anonymous,
    look: (world, { userCode, deviceCode }) => {
      world.known.set('deviceCode', deviceCode);
      return world.platform.control.decideDevice(userCode, demo.owner);
    },
    expected: true,
  }),
  step(signIn.pollDeviceSignIn, {
    request: (world) => ({
      body: {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code' as const,
        device_code: known(world, 'deviceCode'),
        client_id: 'modelbench',
      },
    }),
    as: anonymous,
    look: (world, { accessToken, refreshToken }) => {
      world.known.set('refreshToken', refreshToken ?? '');
      return accessToken.length > 20;
    },
    expected: true,
  }),
  step(signIn.refreshSignIn, {
    request: (world) => ({
      body: { grant_type: 'refresh_token' as const, refresh_token: known(world, 'refreshToken') },
    }),
    as: anonymous,
    look: (_world, { accessToken }) => accessToken.length > 20,
    expected: true,
  }),
];

/** Users and their attributes, settings, the audit log, integrations, signing in. */
export const accountStory: readonly Step[] = [...people, ...settings, ...integrations, ...signingIn];
