import cubeClient from '@cubejs-client/core';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { originOf } from '#base/origin.ts';
import type { SqlBatch } from '#api/data/sql-batches.ts';
import { silentLogger } from '#base/log.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { mountApis, sampleModel, token, type MountedApis } from '#support/mounted-apis.ts';
import { patientDataClient } from '../../support/api/patient-client.ts';
import { yaml } from '#support/language/raw.ts';

const chunks = mountApis();
afterAll(() => chunks.close());

const authorization = token({ groups: ['support'] });
const headers = { authorization };

async function get(
  path: string,
  from: MountedApis = chunks,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await from.data(path, { headers });
  return { status: response.status, body: await response.json() };
}

async function post(path: string, body: unknown): Promise<{ readonly status: number; readonly body: unknown }> {
  const init = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const response = await chunks.data(path, init);
  return { status: response.status, body: await response.json() };
}

function load(query: unknown): string {
  return `/load?query=${encodeURIComponent(JSON.stringify(query))}`;
}

describe('who may ask', () => {
  it('refuses requests without a token, unless the deployment is in development', async () => {
    const refused = await chunks.data('/meta');
    expect(refused.status).toBe(403);
    expect(await refused.json()).toEqual({ error: "Authorization header isn't set" });
    const open = mountApis({ engine: chunks.engine, deployment: { anonymousData: true } });
    expect((await open.data('/meta')).status).toBe(200);
    await open.close();
  });

  it('refuses a token of another secret, or one that has expired', async () => {
    for (const bad of ['x.y.z', `${authorization}x`, token({ exp: 1 })]) {
      const response = await chunks.data('/meta', { headers: { authorization: bad } });
      expect([response.status, await response.json()]).toEqual([403, { error: 'Invalid token' }]);
    }
  });

  it('a bare token, one after Bearer, and one in the header of the older clients', async () => {
    const attempts = [
      { authorization },
      { authorization: `Bearer ${authorization}` },
      { 'x-cube-authorization': authorization },
    ];
    for (const attempt of attempts) expect((await chunks.data('/meta', { headers: attempt })).status).toBe(200);
  });

  it('a metadata token opens /meta of its environment and nothing else', async () => {
    const metaToken = token({ scope: ['meta'], environmentId: '7' });
    const status = async (path: string, bearer = metaToken): Promise<number> =>
      (await chunks.data(path, { headers: { authorization: bearer } })).status;
    expect(await status('/meta')).toBe(200);
    for (const path of [load({ measures: ['orders.count'] }), '/sql', '/cubesql', '/dry-run'])
      expect(await status(path)).toBe(403);
    expect(await status('/meta', token({ scope: ['meta'], environmentId: '8' }))).toBe(403);
  });

  it('an unknown environment is not found', async () => {
    const response = await chunks.fetch(new Request('http://local/data/99/cubejs-api/v1/meta', { headers }));
    expect(response.status).toBe(404);
  });
});

describe('/meta', () => {
  it('shows public members only, and what the policies of the model leave', async () => {
    const { body } = await get('/meta');
    const { cubes } = body as { cubes: { name: string; dimensions: { name: string }[] }[] };
    const members = (cube: string): readonly string[] | undefined =>
      cubes.find(({ name }) => name === cube)?.dimensions.map(({ name }) => name);
    expect(members('customers')).toContain('customers.email');
    expect(members('customers')).not.toContain('customers.birth_year');
    expect(members('customer_overview')).toContain('customer_overview.email');
    const everybody = await chunks.data('/meta', { headers: { authorization: token({}) } });
    const seen = ((await everybody.json()) as { cubes: { name: string; dimensions: { name: string }[] }[] }).cubes;
    expect(seen.find(({ name }) => name === 'customer_overview')?.dimensions.map(({ name }) => name)).not.toContain(
      'customer_overview.email',
    );
  });

  it('answers the compiler’s words for a model that does not compile', async () => {
    const files = [
      ...sampleModel(),
      {
        fileName: 'model/cubes/bad.yml',
        content: yaml`
          cubes:
            - name: bad
        `,
      },
    ];
    const broken = mountApis({ engine: chunks.engine, branches: { main: files } });
    const { status, body } = await get('/meta', broken);
    expect([status, (body as { error: string }).error]).toEqual([500, expect.stringContaining('bad cube')]);
    await broken.close();
  });
});

describe('/load', () => {
  it('answers rows as text under member names, with annotations', async () => {
    const { status, body } = await get(
      load({
        measures: ['orders.count'],
        timeDimensions: [
          { dimension: 'orders.created_at', granularity: 'year', dateRange: ['2024-01-01', '2025-12-31'] },
        ],
        total: true,
      }),
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: [
        { 'orders.created_at.year': '2024-01-01T00:00:00.000', 'orders.created_at': '2024-01-01T00:00:00.000' },
        { 'orders.created_at.year': '2025-01-01T00:00:00.000' },
      ],
      annotation: {
        measures: { 'orders.count': { title: 'Orders Number of orders', type: 'number' } },
        timeDimensions: { 'orders.created_at.year': { type: 'time' } },
      },
      query: { limit: 10_000, timezone: 'UTC' },
      total: 2,
    });
    const [first] = (body as { data: Record<string, unknown>[] }).data;
    expect(first?.['orders.count']).toMatch(/^\d+$/);
  });

  it('says the same by GET and POST, in rows, compact and columnar', async () => {
    const query = { dimensions: ['orders.status'], measures: ['orders.count'], order: { 'orders.status': 'asc' } };
    const plain = (await get(load(query))).body as { data: Record<string, string>[] };
    expect(((await post('/load', { query })).body as { data: unknown }).data).toEqual(plain.data);
    const compact = (await post('/load', { query: { ...query, responseFormat: 'compact' } })).body as { data: unknown };
    expect(compact.data).toEqual({
      members: ['orders.status', 'orders.count'],
      dataset: plain.data.map((row) => [row['orders.status'], row['orders.count']]),
    });
    const columnar = (await post('/load', { query: { ...query, responseFormat: 'columnar' } })).body as {
      data: { columns: unknown[] };
    };
    expect(columnar.data.columns[0]).toEqual(['cancelled', 'completed', 'processing', 'shipped']);
  });

  it('applies the model’s policies to rows', async () => {
    const query = { dimensions: ['customers.email'], limit: 1 };
    const masked = await chunks.data(load(query), { headers: { authorization: token({}) } });
    expect(((await masked.json()) as { data: unknown }).data).toEqual([{ 'customers.email': '***' }]);
    expect((await get(load(query))).body).toMatchObject({
      data: [{ 'customers.email': expect.stringContaining('@') as string }],
    });
  });

  it('answers what is wrong with a query as a user error', async () => {
    const wrong: readonly (readonly [query: unknown, message: string])[] = [
      [{ measures: ['orders.nope'] }, "'nope' not found for path 'orders.nope'"],
      [{ measures: ['orders.count'], nope: 1 }, 'Invalid query format: "nope" is not allowed'],
      [{ dimensions: ['customers.birth_year'] }, "You requested hidden member: 'customers.birth_year'"],
      [{ measures: ['orders.rolling_month_count'], timeDimensions: [{ dimension: 'orders.created_at', granularity: 'day' }] }, 'without dateRange'],
    ]; // prettier-ignore
    for (const [query, message] of wrong) {
      const { status, body } = await get(load(query));
      expect(status).toBe(400);
      expect(body).toEqual({ type: 'UserError', error: expect.stringContaining(message) as string });
    }
    expect(await get('/load')).toEqual({ status: 400, body: { type: 'UserError', error: 'Query param is required' } });
  });

  it('makes a query that takes long wait, and gives its result to who comes again', async () => {
    const clock = new ManualClock();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let opened = 0;
    const slow = mountApis({
      engine: chunks.engine,
      deps: {
        clock,
        options: { dataWaitMs: 10_000, warehouseRows: 600 },
        modelFiles: async () => {
          opened++;
          await held;
          return { revision: '1', files: sampleModel() };
        },
      },
      deployment: { anonymousData: true },
    });
    const ask = async (): Promise<unknown> => (await slow.data(load({ measures: ['orders.count'] }))).json();
    const first = ask();
    await expect.poll(() => opened).toBe(1);
    await clock.advance(10_000);
    expect(await first).toEqual({ error: 'Continue wait', stage: 'Executing query', timeElapsed: 10 });
    const second = ask();
    release();
    expect(await second).toMatchObject({ data: [{ 'orders.count': expect.any(String) as string }] });
    expect(opened).toBe(1);
    await slow.close();
  });
});

describe('/sql, /dry-run and /cubesql', () => {
  it('show the SQL of a query and how it was understood', async () => {
    const query = { measures: ['orders.count'], filters: [{ member: 'orders.status', operator: 'equals', values: ['x'] }] };
    const { body } = await post('/sql', { query });
    expect(body).toMatchObject({ sql: { sql: [expect.stringContaining('count('), ['x']], aliasNameToMember: { orders__count: 'orders.count' } } });
    expect((await post('/dry-run', { query })).body).toMatchObject({
      queryType: 'regularQuery',
      normalizedQueries: [{ measures: ['orders.count'], limit: 10_000 }],
      pivotQuery: { queryType: 'regularQuery' },
    });
  }); // prettier-ignore

  const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };

  it('stream SQL results as a schema line and lines of rows', async () => {
    const body = JSON.stringify({ query: 'SELECT id, status, created_at FROM orders ORDER BY id LIMIT 1200' });
    const response = await chunks.data('/cubesql', { ...init, body });
    const lines = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]?.['schema']).toEqual([
      { name: 'id', column_type: 'Int64' },
      { name: 'status', column_type: 'String' },
      { name: 'created_at', column_type: 'Timestamp' },
    ]);
    expect(lines.slice(1).map((line) => (line['data'] as unknown[]).length)).toEqual([500, 500, 200]);
    expect(lines[1]).toMatchObject({
      data: expect.arrayContaining([['1', 'completed', expect.any(String)]]) as unknown,
    });
    const wrong = await chunks.data('/cubesql', {
      ...init,
      body: JSON.stringify({ query: 'SELECT nope FROM orders' }),
    });
    expect([wrong.status, await wrong.json()]).toEqual([400, { type: 'UserError', error: "Column 'nope' not found." }]);
  });

  it.each([
    'SELECT MEASURE(count) status -13 orders WHERE GROUP BY 1 LIMIT 3',
    "SELECT CAST('x' AS INTEGER) AS n, MEASURE(count) FROM orders GROUP BY 1",
    'SELECT no_such_function(status) FROM orders GROUP BY 1',
  ])('/cubesql blames the asker for what the database cannot read: %s', async (query) => {
    const response = await chunks.data('/cubesql', { ...init, body: JSON.stringify({ query }) });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ type: 'UserError' });
  });
});

describe('a client of the vendor', () => {
  it('loads metadata, a query, a comparison and SQL', async () => {
    const realFetch = globalThis.fetch;
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => chunks.fetch(new Request(url, init)));
    try {
      const client = cubeClient(authorization, { apiUrl: 'http://local/data/7/cubejs-api/v1' });
      const meta = await client.meta();
      expect(meta.cubes.map(({ name }) => name)).toContain('sales');
      const result = await client.load({
        measures: ['orders.count'],
        dimensions: ['orders.status'],
        order: { 'orders.status': 'asc' },
      });
      expect(result.tablePivot()[0]).toMatchObject({ 'orders.status': 'cancelled' });
      const compared = await client.load({
        measures: ['orders.count'],
        timeDimensions: [
          { dimension: 'orders.created_at', compareDateRange: [['2024-01-01', '2024-12-31'], ['2025-01-01', '2025-12-31']] },
        ],
      }); // prettier-ignore
      expect(compared.decompose()).toHaveLength(2);
      const sql = await client.cubeSql('SELECT status, MEASURE(count) FROM orders GROUP BY 1 ORDER BY 1');
      expect(sql.data[0]?.[0]).toBe('cancelled');
      await expect(client.load({ measures: ['orders.nope'] })).rejects.toThrow("'nope' not found");
    } finally {
      vi.stubGlobal('fetch', realFetch);
    }
  });
});

describe("the extension's own client", () => {
  const client = patientDataClient({
    restUrl: 'http://127.0.0.1/data/7/cubejs-api/v1',
    credential: async () => ({
      kind: 'plain',
      token: authorization,
      origin: originOf('http://127.0.0.1/data/7/cubejs-api/v1'),
    }),
    logger: silentLogger,
    fetch: async (input, init) => chunks.fetch(new Request(input, init)),
  });

  it('reads metadata, rows, SQL and SQL results', async () => {
    expect((await client.meta()).map(({ name }) => name)).toContain('sales');
    const loaded = await client.load({ measures: ['orders.count'], dimensions: ['orders.status'] });
    expect(loaded.data).toHaveLength(4);
    const query = {
      measures: ['orders.count'],
      filters: [{ member: 'orders.status', operator: 'equals', values: ['x'] }],
    };
    expect((await client.sql(query)).values).toEqual(['x']);
    const batches: SqlBatch[] = [];
    for await (const batch of client.cubeSql('SELECT status, MEASURE(count) AS n FROM orders GROUP BY 1 ORDER BY 1'))
      batches.push(batch);
    expect(batches[0]).toEqual({
      kind: 'schema',
      columns: [
        { name: 'status', type: 'String' },
        { name: 'n', type: 'Int64' },
      ],
    });
    expect(batches[1]).toMatchObject({
      kind: 'rows',
      rows: expect.arrayContaining([['cancelled', expect.any(String)]]) as unknown,
    });
  });

  it('says what is wrong with a query in the platform’s words', async () => {
    await expect(client.load({ measures: ['orders.nope'] })).rejects.toThrow("'nope' not found");
    await expect(client.cubeSql('SELECT nope FROM orders').next()).rejects.toThrow("Column 'nope' not found");
  });
});
