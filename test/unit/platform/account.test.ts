import { exportAuditLog } from '#api/resources/audit.ts';
import * as embed from '#api/resources/embed.ts';
import * as oauth from '#api/resources/oauth.ts';
import * as oidc from '#api/resources/oidc.ts';
import { listScimGroups, listScimUsers } from '#api/resources/scim.ts';
import * as tenant from '#api/resources/tenant.ts';
import * as attributes from '#api/resources/user-attributes.ts';
import * as users from '#api/resources/users.ts';
import { upsertReportByPublicId } from '#api/resources/reports.ts';
import type { Platform } from '#platform/app.ts';
import { errorOf, openPlatform, refusalOf, send } from '#support/platform.ts';
import { describe, expect, it } from 'vitest';

describe('users', () => {
  it('have an e-mail address of their own, change and go', async () => {
    const platform = await openPlatform();
    const body = { email: 'mary@shop.example', firstName: 'Mary', groups: ['analysts', 'new group'] };
    const { value } = await send(platform, users.createUser, { body });
    expect(value).toMatchObject({ email: 'mary@shop.example', status: 'active', groups: ['analysts', 'new group'] });
    expect((await send(platform, users.createUser, { body: { email: 'MARY@shop.example' } })).status).toBe(409);
    expect(refusalOf(await send(platform, users.createUser, { body: { email: 'no' } }))).toBe(
      '400 email: must be an e-mail address',
    );
    const params = { id: value.id ?? '' };
    const changed = await send(platform, users.updateUser, { params, body: { lastName: 'Shelley', groups: [] } });
    expect(changed.value).toMatchObject({ firstName: 'Mary', lastName: 'Shelley', groups: [] });
    expect((await send(platform, users.deleteUser, { params })).status).toBe(204);
    expect((await send(platform, users.deleteUser, { params })).status).toBe(404);
  });

  it('stay invisible to another account, and only an administrator changes those of the own one', async () => {
    const platform = await openPlatform();
    expect((await send(platform, users.deleteUser, { params: { id: 4 } })).status).toBe(404);
    const key = platform.control.demo.keys.colleague;
    expect((await send(platform, users.deleteUser, { params: { id: 3 }, key })).status).toBe(403);
    expect((await send(platform, users.deleteUser, { params: { id: 1 } })).status).toBe(400);
  });

  it('report each failure in bulk and change the others; a deactivated key stops working', async () => {
    const platform = await openPlatform();
    const key = platform.control.demo.keys.colleague;
    const bulk = async (action: 'DEACTIVATE' | 'ACTIVATE' | 'DELETE', ids: number[]) =>
      (await send(platform, users.bulkUsers, { body: { action, ids } })).value.results;
    expect(await bulk('DEACTIVATE', [1, 2, 99])).toEqual([
      { id: '1', ok: false, error: 'You cannot delete or deactivate yourself.' },
      { id: '2', ok: true },
      { id: '99', ok: false, error: 'There is no user 99.' },
    ]);
    expect((await send(platform, tenant.getAppConfig, { key })).status).toBe(401);
    await bulk('ACTIVATE', [2]);
    expect((await send(platform, tenant.getAppConfig, { key })).status).toBe(200);
    await bulk('DELETE', [2]);
    expect((await send(platform, tenant.getAppConfig, { key })).status).toBe(401);
  });
});

describe('user attributes', () => {
  const create = (platform: Platform, name: string, type: (typeof attributes.userAttributeTypes)[number]) =>
    send(platform, attributes.createUserAttribute, { body: { name, type } });

  it.each([
    ['string', 'text', 7],
    ['number', 7, 'text'],
    ['boolean', false, 'false'],
    ['string_array', ['a'], 'a'],
    ['number_array', [1, 2], ['1']],
  ] as const)('accept only values of their type %s', async (type, good, bad) => {
    const platform = await openPlatform();
    const attributeId = (await create(platform, 'new', type)).value.id ?? '';
    const set = (value: typeof good | typeof bad) =>
      send(platform, attributes.upsertUserAttributeValue, { body: { userId: 2, attributeId, value: value as string } });
    expect((await set(good)).value).toMatchObject({ name: 'new', value: good });
    expect((await set(good)).status).toBe(200);
    expect(refusalOf(await set(bad))).toBe(`400 value: must be of the attribute's type ${type}`);
    const { value } = await send(platform, attributes.listUserAttributeValues, { params: { userId: 2 } });
    expect(value.data.map((row) => row.value)).toEqual([good]);
  });

  it('have a name of their own and a type that is one of five', async () => {
    const platform = await openPlatform();
    expect((await create(platform, 'country', 'string')).status).toBe(409);
    expect(refusalOf(await create(platform, 'x', 'date' as 'string'))).toBe(
      '400 type: must be one of string, number, boolean, string_array, number_array',
    );
    const { value } = await send(platform, attributes.listUserAttributes);
    expect(new Set(value.data.map(({ type }) => type)).size).toBe(5);
  });

  it('keep their type while users have values', async () => {
    const platform = await openPlatform();
    const change = (type: 'number' | 'string') =>
      send(platform, attributes.updateUserAttribute, { params: { id: 1 }, body: { type, displayName: 'Land' } });
    expect((await change('number')).status).toBe(409);
    expect((await change('string')).value).toMatchObject({ name: 'country', displayName: 'Land' });
    await send(platform, attributes.upsertUserAttributeValue, { body: { userId: 3, attributeId: 1, value: null } });
    expect((await change('number')).status).toBe(200);
  });
});

describe('OAuth integrations and OIDC token configurations', () => {
  it('go through create, read, update and delete; a client secret is never given out', async () => {
    const platform = await openPlatform();
    const body = { name: 'Mail', clientId: 'c', clientSecret: 'hidden' };
    const created = await send(platform, oauth.createOauthIntegration, { body });
    const params = { id: created.value.id ?? '' };
    await send(platform, oauth.updateOauthIntegration, { params, body: { provider: 'other' } });
    const read = await send(platform, oauth.getOauthIntegration, { params });
    expect(read.body).toEqual({ id: params.id, name: 'Mail', clientId: 'c', provider: 'other' });
    expect((await send(platform, oauth.createOauthIntegration, { body })).status).toBe(409);
    expect((await send(platform, oauth.listOauthIntegrations)).value.data).toHaveLength(2);
    expect((await send(platform, oauth.deleteOauthIntegration, { params })).status).toBe(204);
    expect((await send(platform, oauth.getOauthIntegration, { params })).status).toBe(404);

    const config = await send(platform, oidc.createOidcTokenConfig, { body: { name: 'Lake', audience: 'a' } });
    const onConfig = { params: { id: config.value.id ?? '' } };
    await send(platform, oidc.updateOidcTokenConfig, { ...onConfig, body: { enabled: false } });
    expect((await send(platform, oidc.getOidcTokenConfig, onConfig)).value).toMatchObject({
      audience: 'a',
      enabled: false,
    });
    expect((await send(platform, oidc.listOidcTokenConfigs)).value.data).toHaveLength(2);
    expect((await send(platform, oidc.deleteOidcTokenConfig, onConfig)).status).toBe(204);
  });

  it("start a flow whose token is pending then, and is the caller's own", async () => {
    const platform = await openPlatform();
    const params = { integrationId: 1 };
    expect((await send(platform, oauth.getUserOauthToken, { params })).value).toMatchObject({ status: 'active' });
    const body = { redirectUri: 'https://app.example/back' };
    const { value } = await send(platform, oauth.initiateUserOauthToken, { params, body });
    const url = new URL(value.url);
    expect(url.origin + url.pathname).toBe('https://accounts.example/authorize');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'demo-client',
      redirect_uri: body.redirectUri,
    });
    expect((await send(platform, oauth.getUserOauthToken, { params })).value).toMatchObject({ status: 'pending' });
    expect((await send(platform, oauth.deleteUserOauthToken, { params })).status).toBe(204);
    expect((await send(platform, oauth.listUserOauthTokens)).value.data).toEqual([]);
  });
});

describe('embedding', () => {
  const inTenant = { embedTenantName: 'north-stores' };

  it('has tenants, users and groups with members', async () => {
    const platform = await openPlatform();
    expect((await send(platform, embed.listEmbedTenants)).value.data.map(({ name }) => name)).toEqual([
      'north-stores',
      'wholesale',
    ]);
    const people = (await send(platform, embed.listEmbedTenantUsers, { params: inTenant })).value.data;
    const { value } = await send(platform, embed.createEmbedTenantGroup, { params: inTenant, body: { name: 'team' } });
    const params = { ...inTenant, id: value.id ?? '' };
    const members = async () =>
      (await send(platform, embed.listEmbedTenantGroupUsers, { params })).value.data.map(
        ({ externalId }) => externalId,
      );
    const userIds = people.map(({ id }) => id);
    await send(platform, embed.addEmbedTenantGroupUsers, { params, body: { userIds } });
    await send(platform, embed.addEmbedTenantGroupUsers, { params, body: { userIds } });
    expect(await members()).toEqual(['mia', 'noah', 'lena']);
    await send(platform, embed.removeEmbedTenantGroupUsers, { params, body: { userIds: userIds.slice(1) } });
    expect(await members()).toEqual(['mia']);
    const foreign = await send(platform, embed.addEmbedTenantGroupUsers, {
      params,
      body: { userIds: [userIds[1] ?? '', 5] },
    });
    expect(refusalOf(foreign)).toBe('400 userIds.1: "north-stores" has no user 5');
    expect(await members()).toEqual(['mia']);
    expect((await send(platform, embed.updateEmbedTenantGroup, { params, body: { name: 'managers' } })).status).toBe(
      409,
    );
    await send(platform, embed.updateEmbedTenantGroup, { params, body: { description: 'All' } });
    expect((await send(platform, embed.getEmbedTenantGroup, { params })).value).toMatchObject({
      name: 'team',
      description: 'All',
    });
    const removed = await send(platform, embed.deleteEmbedTenantGroup, { params });
    expect(removed).toMatchObject({ status: 204, body: '' });
    expect((await send(platform, embed.getEmbedTenantGroup, { params })).status).toBe(404);
  });

  it('deletes a tenant with everything in it and answers 204', async () => {
    const platform = await openPlatform();
    expect((await send(platform, embed.deleteEmbedTenant, { params: inTenant })).status).toBe(204);
    expect((await send(platform, embed.listEmbedTenantUsers, { params: inTenant })).status).toBe(404);
  });

  it('needs a published dashboard', async () => {
    const platform = await openPlatform();
    const set = (publicId: string, enabled: boolean) =>
      send(platform, embed.setDashboardEmbedding, { params: { publicId }, body: { enabled } });
    expect((await set('dashboard-store-performance', true)).value).toEqual({
      publicId: 'dashboard-store-performance',
      enabled: true,
    });
    expect((await set('dashboard-customer-segments', true)).status).toBe(400);
    expect((await set('none', true)).status).toBe(404);
  });

  it('runs a Python report with the filters of the dashboard', async () => {
    const platform = await openPlatform();
    const python = 'import json,sys; print(json.dumps(len(json.load(sys.stdin)["filters"])))';
    await send(platform, upsertReportByPublicId, { params: { deploymentId: 1, publicId: 'py' }, body: { python } });
    const params = { publicId: 'dashboard-store-performance' };
    const run = (reportId: string) =>
      send(platform, embed.runPythonReport, {
        params,
        body: { reportId, filters: [{ member: 'a' }, { member: 'b' }] },
      });
    expect((await run('py')).status).toBe(403);
    await send(platform, embed.setDashboardEmbedding, { params, body: { enabled: true } });
    const { value } = await run('py');
    // A machine without Python says so; one with it runs the report.
    expect([
      { status: 'succeeded', output: 2 },
      { status: 'failed', error: 'Python 3 is not installed on this machine.' },
    ]).toContainEqual(value);
    expect(refusalOf(await run('report-01'))).toBe('400 reportId: must name a Python report of this deployment');
  });
});

describe('SCIM', () => {
  it('pages with count and startIndex, from 1', async () => {
    const platform = await openPlatform();
    const all = await send(platform, listScimUsers);
    expect(all.value).toMatchObject({ totalResults: 3, startIndex: 1, itemsPerPage: 3 });
    const one = await send(platform, listScimUsers, { query: { count: 1, startIndex: 2 } });
    expect(one.value).toMatchObject({ totalResults: 3, startIndex: 2, itemsPerPage: 1 });
    expect(one.value.Resources[0]).toMatchObject({ userName: platform.control.demo.colleague, active: true });
    const { value } = await send(platform, listScimGroups);
    expect(value.Resources.map(({ displayName }) => displayName)).toEqual(['developers', 'analysts']);
    expect(one.headers.get('content-type')).toBe('application/scim+json');
  });
});

describe('tenant settings and the audit log', () => {
  const read = async (platform: Platform, query: Record<string, string> = {}): Promise<string[]> => {
    const { body } = await send(platform, exportAuditLog, { query });
    return String(body).trimEnd().split('\r\n').slice(1);
  };

  it('comes as CSV, as an attachment, with filters', async () => {
    const platform = await openPlatform();
    const { headers, body } = await send(platform, exportAuditLog);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment/);
    expect(String(body).split('\r\n')[0]).toBe('date,eventName,userEmail,deploymentId,data');
    expect(await read(platform)).toHaveLength(40);
    expect(await read(platform, { eventName: 'branch.committed' })).toHaveLength(8);
    expect(await read(platform, { userEmail: 'ADA@shop.example' })).toHaveLength(14);
    expect(await read(platform, { start: '2026-03-04', end: '2026-03-05' })).toHaveLength(2);
    expect(await read(platform, { search: '"number":40' })).toHaveLength(1);
    expect((await send(platform, exportAuditLog, { query: { start: 'soon' } })).status).toBe(400);
  });

  it('records what people do, quotes what needs it and defuses formulas', async () => {
    const platform = await openPlatform();
    const { value } = await send(platform, users.createUser, { body: { email: '+plus@shop.example', role: 'admin' } });
    const [line = ''] = await read(platform, { eventName: 'user.created' });
    expect(line).toContain('user.created,ada@shop.example,,"{""email"":""+plus@shop.example""}"');
    platform.control.createKey({ tenantId: 1, userId: Number(value.id), name: 'Plus', secret: 'plus-key' });
    await send(platform, oidc.createOidcTokenConfig, { body: { name: 'x' }, key: 'plus-key' });
    const [defused = ''] = await read(platform, { eventName: 'oidcTokenConfig.created' });
    expect(defused).toContain(`oidcTokenConfig.created,'+plus@shop.example,`);
  });

  it('can be switched off, and then nothing is recorded or given out', async () => {
    const platform = await openPlatform();
    const set = (auditLog: boolean) => send(platform, tenant.updateTenantSettings, { body: { auditLog, oidc: true } });
    expect((await set(false)).value).toMatchObject({ auditLog: false, oidc: true, aiBiInterface: true });
    const refused = await send(platform, exportAuditLog);
    expect(refused.status).toBe(403);
    expect(errorOf(refused)).toContain('switched off');
    await send(platform, users.createUser, { body: { email: 'unseen@shop.example' } });
    await set(true);
    const names = (await read(platform)).map((line) => line.split(',')[1]);
    expect(names).not.toContain('user.created');
    expect(names.filter((name) => name === 'tenant.settingsUpdated')).toHaveLength(1);
    expect((await send(platform, tenant.getTenantSettings)).value).toMatchObject({ auditLog: true, oidc: true });
  });
});
