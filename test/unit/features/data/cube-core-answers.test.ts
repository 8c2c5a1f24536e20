import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '#base/log.ts';
import { Queries, type QueryPorts } from '#features/data/queries.ts';
import type { QueryOptions, QueryOutcome } from '#features/data/query-service.ts';
import { cubeCoreQueries } from '#support/cube-core/queries.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { MemorySecrets } from '#support/memory-secrets.ts';
import { MemoryState } from '#support/memory-state.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** What a real server answered, recorded by `npm run test:cube-core`; a query that takes long has several answers. */
const file = new URL('../../../fixtures/cube-core/rows.json', import.meta.url);
const recorded = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly answers: Readonly<Record<string, readonly Answer[]>>;
};

/** Runs a query against the recorded server. */
async function run(name: keyof typeof cubeCoreQueries, options: QueryOptions = {}): Promise<QueryOutcome> {
  const answers = [...(recorded.answers[name] ?? [])];
  const clock = new ManualClock(0);
  const storage = { secrets: new MemorySecrets(), user: new MemoryState(), window: new MemoryState() };
  // A Cube Core server needs nothing from the platform.
  const platform = {} as Pick<QueryPorts, 'data' | 'session' | 'capabilitiesOf'>;
  const queries = new Queries({
    ...platform,
    storage,
    clock,
    logger: silentLogger,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      if (!request.url.endsWith('/cubejs-api/v1/load')) return new Response('', { status: 404 });
      const { query } = (await request.json()) as { readonly query: unknown };
      if (JSON.stringify(query) === '{}')
        return Response.json({ error: 'Query should contain measures' }, { status: 400 });
      expect(query).toEqual(cubeCoreQueries[name]);
      const { status = 500, body } = answers.shift() ?? {};
      return Response.json(body, { status });
    },
    ask: () => Promise.reject(new Error('A server in development mode asks for nothing.')),
  });
  const target = { kind: 'cubeCore', restUrl: 'http://localhost:4000/cubejs-api/v1' } as const;
  const outcome = queries.run(target, cubeCoreQueries[name], {
    ...options,
    onProgress: (progress) => {
      options.onProgress?.(progress);
      setImmediate(() => void clock.advance(5_000));
    },
  });
  return outcome;
}

describe('a Cube Core server', () => {
  it('answers rows, their titles and types, and their number without the limit', async () => {
    expect(await run('rows with their number')).toMatchObject({
      kind: 'rows',
      rows: [{ 'orders.status': 'open', 'orders.count': '2' }],
      annotation: {
        measures: { 'orders.count': { title: 'Orders Count', shortTitle: 'Count', type: 'number' } },
        dimensions: { 'orders.status': { type: 'string' } },
      },
      facts: {
        source: 'Cube Core at localhost:4000',
        preAggregations: [],
        total: 2,
        lastRefreshTime: expect.stringMatching(/^2\d{3}-.*Z$/) as unknown,
      },
    });
  });

  it('loses no digit of any value', async () => {
    const outcome = await run('values of every type');
    const [first, second, third] = outcome.kind === 'rows' ? outcome.rows : [];
    expect(first).toEqual({
      'readings.id': '1',
      'readings.big': '9007199254740993',
      'readings.exact': '12345678901234567890.123456789',
      'readings.approximate': '0.1',
      'readings.nothing': null,
      'readings.flag': true,
      'readings.local': '2026-01-31T23:30:00.000',
      'readings.zoned': '2026-01-31T21:30:00.000',
      'readings.day': '2026-01-31T00:00:00.000',
      'readings.nested': { unit: 'kWh', tags: ['a', 'ü'] },
      'readings.note': 'line 1\nline 2',
      'readings.count': '1',
      'readings.big_total': '9007199254740993',
      'readings.exact_total': '12345678901234567890.123456789',
      'readings.mean': '0.1',
      'readings.share': '1',
    });
    expect(second).toMatchObject({
      'readings.exact': '-0.000000001',
      'readings.approximate': 'NaN',
      'readings.note': '',
    });
    expect(Object.values(third ?? {}).filter((value) => value === null).length).toBeGreaterThan(8);
  });

  it('groups by months of the time zone of the query, and fills those without rows', async () => {
    const outcome = await run('months in a time zone');
    const rows = outcome.kind === 'rows' ? outcome.rows : [];
    expect(rows.map((row) => [row['readings.zoned.month'], row['readings.count']])).toEqual([
      ['2026-01-01T00:00:00.000', '1'],
      ['2026-03-01T00:00:00.000', '1'],
    ]);
  });

  it('answers no rows', async () => {
    expect(await run('no rows')).toMatchObject({
      kind: 'rows',
      rows: [],
      annotation: { dimensions: { 'orders.status': {} } },
    });
  });

  it.each([
    [
      'an unknown member',
      /refused the query: “'nope' not found for path 'orders\.nope'”\. Correct the query and run it again\.$/,
    ],
    ['an unknown cube', /refused the query: “Cube 'nope' not found for path 'nope\.count'”\./],
    ['an unknown operator', /“Invalid query format: "filters\[0\]" does not match any of the allowed types”/],
    [
      'an unknown granularity',
      /“Invalid query format: "timeDimensions\[0\]\.granularity" must be one of \[quarter, day, /,
    ],
    [
      'a column that the database does not have',
      /^The query failed: “Binder Error: .* does not have a column named "no_such_column".*Check the SQL of its members and/,
    ],
  ] as const)('explains %s', async (name, message) => {
    const outcome = await run(name);
    expect(outcome).toMatchObject({ kind: 'wrongQuery' });
    expect('message' in outcome ? outcome.message : '').toMatch(message);
    expect('message' in outcome ? outcome.message : '').not.toMatch(/\n\s+at |“Error: /);
  });

  it('is waited for while it asks to, with progress', async () => {
    let times = 0;
    const outcome = await run('a query that takes longer than the server waits', { onProgress: () => (times += 1) });
    expect(times).toBe((recorded.answers['a query that takes longer than the server waits'] ?? []).length - 1);
    expect(times).toBeGreaterThan(0);
    expect(outcome).toMatchObject({
      kind: 'rows',
      rows: [{ 'readings.slow': expect.stringMatching(/^\d+$/) as unknown }],
    });
  });

  it('is no longer asked once the user cancels while it asks to wait', async () => {
    const cancel = new AbortController();
    const outcome = await run('a query that takes longer than the server waits', {
      signal: cancel.signal,
      onProgress: () => cancel.abort(),
    });
    expect(outcome).toEqual({ kind: 'cancelled' });
  });
});
