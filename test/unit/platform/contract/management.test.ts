import { beforeEach, describe, expect, it } from 'vitest';
import { contractModes, holdsIn } from '#support/contract-modes.ts';
import { demo } from '#platform/seed/names.ts';
import { a, done, openContract, plain, rows } from '#support/contract.ts';

/** docs/platform-api.md, sentence by sentence. */

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
const d1 = '/api/v1/deployments/1';
const b1 = '/build/api/v1/deployments/1';

describe.each(contractModes)('on a %s platform', (mode) => {
  beforeEach(({ task, skip }) => skip(!holdsIn(mode, task.name)));

  describe('conventions', () => {
    it.each([
      ['400', 'GET', `${d1}/environments?type=moon`, undefined],
      ['404', 'GET', '/api/v1/deployments/99/pods', undefined],
      ['400', 'PUT', d1, { releaseChannelVersion: 'v0.0.1' }],
      ['403', 'PUT', `${b1}/data-model/files`, { branchName: 'main', files: [{ path: 'model/a.yml', content: '' }] }],
      ['400', 'POST', `${d1}/notifications`, { name: 'Both', dashboardId: 1, dashboardPublicId: 'x', recipients: [] }],
    ])('an error body of %s has one property, error, a text (%s %s)', async (status, method, path, body) => {
      const { ask } = await openContract(mode);
      const said = await ask(`${method} ${path}`, body === undefined ? {} : { body });
      expect([String(said.status), Object.keys(said.json), typeof said.json['error']]).toEqual([
        status,
        ['error'],
        'string',
      ]);
      expect(said.type).toContain('application/json');
    });

    it('a paginated list has data, and pagination with offset, limit and total', async () => {
      const { ask } = await openContract(mode);
      const { json } = await ask('GET /api/v1/deployments?offset=1&limit=1');
      expect(json['pagination']).toEqual({ offset: 1, limit: 1, total: 3 });
      expect(rows(json['data']?.['deployments'])).toHaveLength(1);
    });

    it.each(['folders', 'reports'])(
      'a cursor list (%s) has items and pageInfo, and still data and count',
      async (list) => {
        const { ask } = await openContract(mode);
        const { json } = await ask(`GET ${d1}/${list}?first=2`);
        expect(rows(json['items'])).toHaveLength(2);
        expect(json['pageInfo']).toMatchObject({ hasNextPage: true });
        expect(json['data']).toEqual(json['items']);
        expect(Number(json['count'])).toBeGreaterThan(2);
      },
    );
  });

  describe('resources', () => {
    it('a deployment list item has id (a numeric text), name and created_at (ISO 8601)', async () => {
      const { ask } = await openContract(mode);
      const [item] = rows((await ask('GET /api/v1/deployments')).json['data']?.['deployments']);
      expect([item?.['id'], item?.['name']]).toEqual([a.matching(/^\d+$/), a.text]);
      expect(item?.['created_at']).toMatch(iso);
      const names = ['id', 'name', 'created_at'];
      expect(mode === 'strict' ? Object.keys(item ?? {}) : names).toEqual(names);
    });

    it('an environment has id, name, type and api_credentials with rest.url, sql.host and sql.port', async () => {
      const { ask } = await openContract(mode);
      const [item] = rows((await ask(`GET ${d1}/environments`)).json['data']?.['environments']);
      expect(item).toMatchObject({ id: a.text, name: a.text, type: 'production' });
      expect(item?.['api_credentials']).toEqual({
        rest: { url: a.matching(/^https?:/) },
        sql: { host: a.text, port: a.number },
      });
    });

    it('a branch whose staging environment is enabled is an environment of type staging', async () => {
      const { ask } = await openContract(mode);
      const body = { enabled: true, branchName: 'pricing-experiments' };
      expect(done(await ask(`PUT ${b1}/branches/staging-environment`, { body }))).toBe(true);
      const staging = rows((await ask(`GET ${d1}/environments?type=staging`)).json['data']?.['environments']);
      expect(staging.map(({ name, type }) => [name, type])).toContainEqual(['pricing-experiments', 'staging']);
    });

    it('a branch has id (integer), name, parentBranch, lastHash and isStagingEnvironmentEnabled', async () => {
      const { ask } = await openContract(mode);
      for (const branch of rows((await ask(`GET ${b1}/branches`)).json['data'])) {
        expect(Number.isInteger(branch['id'])).toBe(true);
        expect(branch).toMatchObject({ name: a.text, lastHash: a.text });
        expect(typeof branch['isStagingEnvironmentEnabled']).toBe('boolean');
        expect(branch).toHaveProperty('parentBranch');
      }
    });

    it('a version entry is an image-qualified reference, a plain version, a channel and two flags', async () => {
      const { ask } = await openContract(mode);
      const entries = rows((await ask(`GET ${d1}/versions`)).json['data']);
      for (const { version, releaseChannelVersion, releaseChannel, isLatestInChannel, isCurrent } of entries) {
        expect(version).toMatch(/^\d+\.\d+\.\d+$/);
        expect(releaseChannelVersion).toMatch(new RegExp(`^.+:v${plain(version)}$`));
        expect([typeof releaseChannel, typeof isLatestInChannel, typeof isCurrent]).toEqual([
          'string',
          'boolean',
          'boolean',
        ]);
      }
      expect(entries.filter(({ isCurrent }) => Boolean(isCurrent))).toHaveLength(1);
    });
  });

  describe('workbook dashboard', () => {
    const path = `${d1}/workbooks/1/dashboard`;
    const position = { x: 0, y: 0, w: 1, h: 1 };
    const put = async (draft: unknown) =>
      (await openContract(mode)).ask(`PUT ${path}`, { body: { dashboardDraft: draft } });

    it('answers 200 with dashboardDraft and dashboardPublished, and replaces the draft whole', async () => {
      const { ask } = await openContract(mode);
      const send = (draft: unknown) => ask(`PUT ${path}`, { body: { dashboardDraft: draft } });
      expect((await send({ title: 'One', settings: { a: 1 } })).status).toBe(200);
      const { json } = await send({ title: 'Two' });
      expect(json['dashboardDraft']).toEqual({ title: 'Two' });
      expect(json).toHaveProperty('dashboardPublished');
      expect((await send(null)).json['dashboardDraft']).toBeNull();
    });

    it('accepts null for every nullable property', async () => {
      const draft = {
        app: { entry: null, files: null, html: null, manifest: null },
        description: null,
        kind: null,
        layout: { breakpoints: { lg: null }, cols: null, containerPadding: null, margin: null, rowHeight: null },
        settings: null,
        theme: {
          backgroundColor: null,
          dashboard: { padding: null },
          controls: { border: { color: null } },
          widgets: null,
        },
        title: null,
        widgets: [{ id: 'a', type: 'TEXT', position, responsiveLayouts: { lg: null }, config: null, style: null }],
      };
      expect((await put(draft)).json['dashboardDraft']).toEqual(draft);
    });

    it('accepts a widget of each listed type', async () => {
      const types = ['CHART', 'TEXT', 'FILTER', 'AI', 'TIME_GRAIN', 'SPACER', 'DIVIDER', 'CONTAINER'];
      const widgets = types.map((type) => ({ id: type, type, position }));
      expect((await put({ kind: 'CLASSIC', widgets })).json['dashboardDraft']).toEqual({ kind: 'CLASSIC', widgets });
    });

    it.each([
      ['8: an id of at most 128 characters', { id: '🙂'.repeat(128), type: 'TEXT', position }, 200],
      ['8: an id of 129 characters', { id: '🙂'.repeat(129), type: 'TEXT', position }, 400],
      ['a type that is not listed', { id: 'a', type: 'GAUGE', position }, 400],
      ['no type', { id: 'a', position }, 400],
      ['no position', { id: 'a', type: 'TEXT' }, 400],
      ['a position without h', { id: 'a', type: 'TEXT', position: { x: 0, y: 0, w: 1 } }, 400],
    ])('answers a widget with %s', async (_what, widget, status) => {
      expect((await put({ widgets: [widget] })).status).toBe(status);
    });

    it.each([
      [255, 200],
      [256, 400],
    ])('8: an app entry of %i characters is answered with %i', async (length, status) => {
      expect((await put({ kind: 'APP', app: { entry: 'e'.repeat(length) } })).status).toBe(status);
    });
  });

  describe('staging environments', () => {
    const path = `${b1}/branches/staging-environment`;

    it('enabled needs branchName or branchId, as the list of branches has it; the answer is {data: branch}', async () => {
      const { ask } = await openContract(mode);
      const shared = rows((await ask(`GET ${b1}/branches`)).json['data']).find(
        ({ name }) => plain(name) === 'pricing-experiments',
      );
      for (const branch of [
        { branchName: 'pricing-experiments' },
        { branchId: shared?.['id'] },
        { branchId: plain(shared?.['id']) },
      ]) {
        for (const enabled of [true, false]) {
          const { json } = await ask(`PUT ${path}`, { body: { enabled, ...branch } });
          expect(json['data']).toMatchObject({ name: 'pricing-experiments', isStagingEnvironmentEnabled: enabled });
        }
      }
      expect((await ask(`PUT ${path}`, { body: { enabled: true } })).status).toBe(400);
      expect((await ask(`PUT ${path}`, { body: { branchName: 'pricing-experiments' } })).status).toBe(400);
    });

    it('personal development branches and the production branch are rejected', async () => {
      const { ask } = await openContract(mode);
      for (const branchName of ['main', 'dev-grace-1']) {
        expect(done(await ask(`PUT ${path}`, { body: { enabled: true, branchName } }))).toBe(false);
      }
    });
  });

  describe('lists and metadata tokens', () => {
    it('offset is 0 and limit 20 by default', async () => {
      const { ask } = await openContract(mode);
      expect((await ask('GET /api/v1/deployments')).json['pagination']).toMatchObject({ offset: 0, limit: 20 });
    });

    it('security_context is required, and a token lives 86400 seconds by default', async () => {
      const { ask } = await openContract(mode);
      const [environment] = rows((await ask(`GET ${d1}/environments`)).json['data']?.['environments']);
      const path = `${d1}/environments/${plain(environment?.['id'])}/tokens-for-meta-sync`;
      expect((await ask(`POST ${path}`, { body: {} })).status).toBe(400);
      const { json } = await ask(`POST ${path}`, { body: { security_context: { team: 'a' } } });
      const { token, created_at: from, expires_at: until } = json['data'] ?? {};
      expect(plain(token).split('.')).toHaveLength(3);
      expect(Date.parse(plain(until)) - Date.parse(plain(from))).toBe(86_400_000);
      const short = await ask(`POST ${path}`, { body: { security_context: {}, expires_in: 60 } });
      const data = short.json['data'];
      expect(Date.parse(plain(data?.['expires_at'])) - Date.parse(plain(data?.['created_at']))).toBe(60_000);
    });
  });

  describe('versions, audit log, description and SCIM', () => {
    it.each(['1.6.43', 'v1.6.43', 'registry.local/engine:v1.6.43'])(
      '4.7: %s is an accepted form of a version',
      async (form) => {
        const { ask } = await openContract(mode);
        expect(done(await ask(`PUT ${d1}`, { body: { releaseChannelVersion: form } }))).toBe(true);
        const entries = rows((await ask(`GET ${d1}/versions`)).json['data']);
        expect(entries.find(({ isCurrent }) => Boolean(isCurrent))).toMatchObject({ version: '1.6.43' });
      },
    );

    it('a version that is not on the list is 400', async () => {
      const { ask } = await openContract(mode);
      expect((await ask(`PUT ${d1}`, { body: { releaseChannelVersion: '0.0.1' } })).status).toBe(400);
    });

    it('a channel alone moves the deployment to the latest version of that channel', async () => {
      const { ask } = await openContract(mode);
      expect(done(await ask(`PUT ${d1}`, { body: { releaseChannel: 'stable' } }))).toBe(true);
      const entries = rows((await ask(`GET ${d1}/versions`)).json['data']);
      const current = entries.find(({ isCurrent }) => Boolean(isCurrent));
      expect(current).toMatchObject({ releaseChannel: 'stable', isLatestInChannel: true });
    });

    it('the audit log is CSV, as an attachment, and needs the permission AuditLogManage', async () => {
      const { ask } = await openContract(mode);
      const said = await ask('GET /api/v1/audit-logs/export?start=2020-01-01&userEmail=ada@shop.example');
      expect([said.status, said.type, said.headers.get('content-disposition')]).toEqual([
        200,
        a.containing('text/csv'),
        a.containing('attachment'),
      ]);
      const authorization = `Bearer ${demo.keys.colleague}`;
      expect((await ask('GET /api/v1/audit-logs/export', { authorization })).status).toBe(403);
    });

    it('the description is OpenAPI 3.1 and carries version 1.0.0', async () => {
      const { ask } = await openContract(mode);
      const { json } = await ask('GET /api/v1/spec');
      expect([json['openapi'], json['info']?.['version']]).toEqual([a.matching(/^3\.1\./), '1.0.0']);
    });

    it.each(['Bearer', 'Api-Key'])('4.10 and 5: SCIM accepts the scheme %s, count and startIndex', async (scheme) => {
      const { ask, platform } = await openContract(mode);
      const { status, json } = await ask('GET /api/scim/v2/Users?count=1&startIndex=2', {
        authorization: `${scheme} ${platform.apiKey}`,
      });
      expect([status, json['startIndex'], rows(json['Resources']).length]).toEqual([200, 2, 1]);
    });
  });

  describe('further operations', () => {
    it.each([
      'GET /api/v1/ai-engineer/active-region',
      'GET /api/v1/embed-tenants/north-stores/user-attributes',
      'DELETE /api/v1/embed-tenants/north-stores/user-attributes',
    ])('%s must not exist', async (line) => {
      expect((await (await openContract(mode)).ask(line)).status).toBe(404);
    });

    it('deleting an embed tenant responds 204 without a body; its path has no trailing slash', async () => {
      const { ask } = await openContract(mode);
      expect((await ask('DELETE /api/v1/embed-tenants/north-stores/')).status).toBe(404);
      expect(await ask('DELETE /api/v1/embed-tenants/north-stores')).toMatchObject({ status: 204, text: '' });
    });

    it('a workbook and a report are created or updated by slug and by public id', async () => {
      const { ask } = await openContract(mode);
      for (const path of [`${d1}/workbooks/by-slug/new-one`, `${d1}/reports/by-public-id/new-one`]) {
        const first = await ask(`PUT ${path}`, { body: { name: 'First' } });
        const second = await ask(`PUT ${path}`, { body: { name: 'Second' } });
        expect([first.json['name'], second.json['name'], second.json['id']]).toEqual([
          'First',
          'Second',
          first.json['id'],
        ]);
      }
    });

    it('connecting a report returns the report with its placement', async () => {
      const { ask } = await openContract(mode);
      const body = { externalWorkbookId: 'sheet', resultLocation: 'A1', endResultCell: 'C3' };
      const { json } = await ask(`PUT ${d1}/reports/1/connect-workbook`, { body });
      expect(json['externalWorkbookPlacements']).toContainEqual({
        workbookId: 'sheet',
        resultLocation: 'A1',
        endResultCell: 'C3',
      });
      const found = await ask(`GET ${d1}/reports?externalWorkbookId=sheet`);
      expect(rows(found.json['items']).map(({ id }) => id)).toEqual([json['id']]);
    });

    it('cursor paging is unavailable when reports are sorted by lastViewedAt', async () => {
      const { ask } = await openContract(mode);
      expect((await ask(`GET ${d1}/reports?sortBy=lastViewedAt`)).status).toBe(200);
      const { json } = await ask(`GET ${d1}/reports?sortBy=name&first=1`);
      const after = plain(json['pageInfo']?.['endCursor']);
      expect((await ask(`GET ${d1}/reports?sortBy=lastViewedAt&first=1&after=${after}`)).status).toBe(400);
    });

    it('bulk operations report failures per item', async () => {
      const { ask } = await openContract(mode);
      const items = [
        { type: 'REPORT', id: '1' },
        { type: 'REPORT', id: '9999' },
      ];
      const moved = await ask(`POST ${d1}/workspace/bulk-move`, { body: { items, targetFolderId: 2 } });
      expect(rows(moved.json['results']).map(({ ok }) => ok)).toEqual([true, false]);
      const deleted = await ask(`POST ${d1}/workspace/bulk-delete`, { body: { items } });
      expect(rows(deleted.json['results']).map(({ ok }) => ok)).toEqual([true, false]);
    });

    it('creating a notification takes exactly one of dashboardId (number) and dashboardPublicId (text)', async () => {
      const { ask } = await openContract(mode);
      const create = (which: object) =>
        ask(`POST ${d1}/notifications`, { body: { name: 'N', recipients: [{ email: 'x@shop.example' }], ...which } });
      expect(done(await create({ dashboardId: 1 }))).toBe(true);
      expect(done(await create({ dashboardPublicId: 'dashboard-store-performance' }))).toBe(true);
      expect((await create({})).status).toBe(400);
      expect((await create({ dashboardId: 1, dashboardPublicId: 'dashboard-store-performance' })).status).toBe(400);
    });

    it('a dbt sync answers branchName, syncJobId and workflowId', async () => {
      const { ask } = await openContract(mode);
      const { json } = await ask('POST /api/v1/deployments/3/dbt-sync', { body: { branchName: 'from-dbt' } });
      expect(Object.keys(json).sort()).toEqual(['branchName', 'syncJobId', 'workflowId']);
    });

    it.each([
      [{ cloudProvider: 'aws', creationMethod: 'upload', deployMode: 'cli' }, true],
      [{ cloudProvider: 'gcp', creationMethod: 'ssh', deployMode: 'git' }, true],
      [{ cloudProvider: 'moon' }, false],
      [{ creationMethod: 'wish' }, false],
      [{ deployMode: 'hope' }, false],
    ])('2.9: creating a deployment with %o is accepted: %s', async (fields, accepted) => {
      const { ask } = await openContract(mode);
      expect(done(await ask('POST /build/api/v1/deployments/', { body: { name: 'New', ...fields } }))).toBe(accepted);
    });
  });

  describe('authentication', () => {
    const ask = async (authorization: string | null, path = d1) =>
      (await (await openContract(mode)).ask(`GET ${path}/pods`, { authorization })).status;

    it('a key scoped to deployments gets 403 for another one, and only for that', async () => {
      const scoped = `Bearer ${demo.keys.scoped}`;
      expect([await ask(scoped), await ask(scoped, '/api/v1/deployments/3')]).toEqual([200, 403]);
    });

    it('a missing, malformed or expired credential gives 401', async () => {
      for (const authorization of [null, 'Bearer', 'Bearer nonsense', 'Basic YTpi', `Bearer ${demo.keys.expired}`]) {
        expect(await ask(authorization)).toBe(401);
      }
    });

    it('a valid credential that is not authorized for the target gives 403', async () => {
      expect(await ask(`Bearer ${demo.keys.foreign}`)).toBe(403);
    });
  });
});
