import { beforeEach, describe, expect, it } from 'vitest';
import { contractModes, holdsIn } from '#support/contract-modes.ts';
import { a, done, type Json, openContract, plain, rows } from '#support/contract.ts';

/** docs/platform-api.md, sentence by sentence: users, settings, integrations, embedding and notifications. */

const d1 = '/api/v1/deployments/1';

const named = (list: Json | undefined): readonly string[] => rows(list).map(({ name }) => plain(name));

describe.each(contractModes)('on a %s platform', (mode) => {
  beforeEach(({ task, skip }) => skip(!holdsIn(mode, task.name)));

  describe('users', () => {
    it('POST creates one, PUT updates it, DELETE deletes it', async () => {
      const { ask } = await openContract(mode);
      const created = await ask('POST /api/v1/users/', { body: { email: 'mary@shop.example', firstName: 'Mary' } });
      expect(created.json).toMatchObject({ id: a.text, email: 'mary@shop.example', firstName: 'Mary' });
      const user = `/api/v1/users/${plain(created.json['id'])}`;
      const updated = await ask(`PUT ${user}`, { body: { lastName: 'Shelley' } });
      expect(updated.json).toMatchObject({ email: 'mary@shop.example', firstName: 'Mary', lastName: 'Shelley' });
      expect(done(await ask(`DELETE ${user}`))).toBe(true);
      expect(done(await ask(`DELETE ${user}`))).toBe(false);
    });

    it.each(['DEACTIVATE', 'ACTIVATE', 'DELETE'])('bulk: failures of %s are reported per user', async (action) => {
      const { ask } = await openContract(mode);
      const { json } = await ask('POST /api/v1/users/bulk', { body: { action, ids: [2, 99] } });
      expect(json['results']).toEqual([
        { id: '2', ok: true },
        { id: '99', ok: false, error: a.text },
      ]);
    });

    it('a bulk action that is not listed does nothing', async () => {
      const { ask } = await openContract(mode);
      expect(done(await ask('POST /api/v1/users/bulk', { body: { action: 'SLEEP', ids: [2] } }))).toBe(false);
    });

    it('GET and POST /api/v1/user-attributes/ list and create attributes, PUT updates one', async () => {
      const { ask } = await openContract(mode);
      const types = ['string', 'number', 'boolean', 'string_array', 'number_array'];
      for (const type of types) {
        const body = { name: `new_${type}`, type };
        expect((await ask('POST /api/v1/user-attributes/', { body })).json).toMatchObject({ id: a.text, ...body });
      }
      expect(done(await ask('POST /api/v1/user-attributes/', { body: { name: 'odd', type: 'date' } }))).toBe(false);
      const listed = rows((await ask('GET /api/v1/user-attributes/')).json['data']);
      const own = listed.filter(({ name }) => plain(name).startsWith('new_'));
      expect(own.map(({ type }) => type)).toEqual(types);
      const path = `/api/v1/user-attributes/${plain(own[0]?.['id'])}`;
      const { json } = await ask(`PUT ${path}`, { body: { displayName: 'New' } });
      expect(json).toMatchObject({ name: 'new_string', type: 'string', displayName: 'New' });
    });

    it('POST /api/v1/user-attribute-values/ upserts a value, GET …/{userId} lists those of a user', async () => {
      const { ask } = await openContract(mode);
      for (const value of ['NZ', 'CH']) {
        const body = { userId: 2, attributeId: 1, value };
        expect(done(await ask('POST /api/v1/user-attribute-values/', { body }))).toBe(true);
      }
      const { json } = await ask('GET /api/v1/user-attribute-values/2');
      expect(rows(json['data']).map(({ value }) => value)).toEqual(['CH']);
    });
  });

  describe('tenant settings', () => {
    it('has toggles, each of which PUT changes alone', async () => {
      const { ask } = await openContract(mode);
      const before = (await ask('GET /api/v1/tenant/settings')).json;
      const toggles = Object.entries(before).filter(([, value]) => typeof (value as unknown) === 'boolean');
      expect(toggles.length).toBeGreaterThanOrEqual(5);
      for (const [name, value] of toggles) {
        const changed = !(value as unknown as boolean);
        expect(done(await ask('PUT /api/v1/tenant/settings', { body: { [name]: changed } }))).toBe(true);
        expect((await ask('GET /api/v1/tenant/settings')).json).toEqual({ ...before, [name]: changed });
        await ask('PUT /api/v1/tenant/settings', { body: { [name]: value } });
      }
    });
  });

  describe('integrations', () => {
    it.each([
      ['oauth-integrations', { name: 'Mail', clientId: 'c', clientSecret: 'hidden' }, { name: 'Post' }],
      ['oidc-token-configs', { name: 'Lake', audience: 'a' }, { audience: 'b' }],
    ])('%s: list, create, read, update, delete', async (family, body, change) => {
      const { ask } = await openContract(mode);
      const list = async () => named((await ask(`GET /api/v1/${family}/`)).json['data']);
      const before = await list();
      const created = await ask(`POST /api/v1/${family}/`, { body });
      const { clientSecret: _, ...shown } = { clientSecret: undefined, ...body };
      expect(created.json).toMatchObject({ id: a.text, ...shown });
      expect(await list()).toEqual([...before, body.name]);
      const path = `/api/v1/${family}/${plain(created.json['id'])}`;
      expect(done(await ask(`PUT ${path}`, { body: change }))).toBe(true);
      const read = await ask(`GET ${path}`);
      expect(read.json).toMatchObject({ ...shown, ...change });
      // A secret is never given out.
      expect(read.text).not.toContain('hidden');
      expect(done(await ask(`DELETE ${path}`))).toBe(true);
      expect(done(await ask(`GET ${path}`))).toBe(false);
      expect(await list()).toEqual(before);
    });

    it('user-oauth-tokens: initiate starts a flow, whose token is listed, read and deleted', async () => {
      const { ask } = await openContract(mode);
      const path = '/api/v1/user-oauth-tokens/1';
      expect(done(await ask(`DELETE ${path}`))).toBe(true);
      expect(rows((await ask('GET /api/v1/user-oauth-tokens/')).json['data'])).toEqual([]);
      expect((await ask(`POST ${path}/initiate`, { body: {} })).json).toMatchObject({ url: a.matching(/^https:/) });
      expect((await ask(`GET ${path}`)).json).toMatchObject({ integrationId: '1' });
      const listed = rows((await ask('GET /api/v1/user-oauth-tokens/')).json['data']);
      expect(listed.map(({ integrationId }) => integrationId)).toEqual(['1']);
    });

    it('GitHub: status leads to installations, their repositories and the branches of each', async () => {
      const { ask } = await openContract(mode);
      expect((await ask('GET /api/v1/github/status')).status).toBe(200);
      const [installation] = rows((await ask('GET /api/v1/github/installations')).json['data']);
      const path = `/api/v1/github/installations/${plain(installation?.['id'])}/repositories`;
      const [repository] = rows((await ask(`GET ${path}`)).json['data']);
      const full = `${plain(repository?.['owner'])}/${plain(repository?.['name'])}`;
      const branches = named((await ask(`GET /api/v1/github/repositories/${full}/branches`)).json['data']);
      expect(branches).toContain(plain(repository?.['defaultBranch']));
    });
  });

  describe('embedding', () => {
    const tenant = '/api/v1/embed-tenants/north-stores';

    it('embed tenants and their users are listed', async () => {
      const { ask } = await openContract(mode);
      expect(named((await ask('GET /api/v1/embed-tenants/')).json['data'])).toContain('north-stores');
      const users = rows((await ask(`GET ${tenant}/users`)).json['data']);
      expect(users.map(({ externalId }) => externalId)).toEqual(['mia', 'noah', 'lena']);
    });

    it('groups: POST creates one, GET and PATCH read and update it, deleting it responds 204', async () => {
      const { ask } = await openContract(mode);
      const created = await ask(`POST ${tenant}/groups`, { body: { name: 'New' } });
      const group = `${tenant}/groups/${plain(created.json['id'])}`;
      expect((await ask(`PATCH ${group}`, { body: { name: 'Newer' } })).json).toMatchObject({ name: 'Newer' });
      expect((await ask(`GET ${group}`)).json).toEqual({ id: created.json['id'], name: 'Newer' });
      const deleted = await ask(`DELETE ${group}`);
      expect([deleted.status, deleted.text]).toEqual([204, '']);
      expect(done(await ask(`GET ${group}`))).toBe(false);
    });

    it('group membership: POST adds users, GET lists them, DELETE takes them out', async () => {
      const { ask } = await openContract(mode);
      const created = await ask(`POST ${tenant}/groups`, { body: { name: 'New' } });
      const members = `${tenant}/groups/${plain(created.json['id'])}/users`;
      const list = async () => rows((await ask(`GET ${members}`)).json['data']).map(({ externalId }) => externalId);
      expect(done(await ask(`POST ${members}`, { body: { userIds: ['1', '2'] } }))).toBe(true);
      expect(await list()).toEqual(['mia', 'noah']);
      expect(done(await ask(`DELETE ${members}`, { body: { userIds: ['1'] } }))).toBe(true);
      expect(await list()).toEqual(['noah']);
    });
  });

  describe('notifications', () => {
    it.each([
      ['dashboardPublicId=dashboard-store-performance', true],
      ['dashboardPublicId=another', false],
      ['recipientUserId=1', true],
      ['recipientUserId=2', false],
      ['recipientEmail=ada@shop.example', true],
      ['recipientEmail=nobody@shop.example', false],
      ['recipientEmbedTenantName=north-stores&recipientExternalId=nobody', false],
    ])('the list filter %s keeps the Monday numbers: %s', async (filter, isKept) => {
      const { ask } = await openContract(mode);
      const { json } = await ask(`GET ${d1}/notifications?${filter}`);
      expect(named(json['data']).includes('Monday numbers')).toBe(isKept);
    });

    it('a notification is changed and deleted by its id, with filters and timeGrains', async () => {
      const { ask } = await openContract(mode);
      const change = { filters: [{ member: 'orders.status', operator: 'equals', values: ['paid'] }], timeGrains: [] };
      const changed = await ask(`PUT ${d1}/notifications/1`, { body: change });
      expect(changed.json).toMatchObject({ id: '1', name: 'Monday numbers', ...change });
      expect(done(await ask(`DELETE ${d1}/notifications/1`))).toBe(true);
      expect(named((await ask(`GET ${d1}/notifications`)).json['data'])).not.toContain('Monday numbers');
    });
  });
});
