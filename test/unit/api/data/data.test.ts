import { describe, expect, it } from 'vitest';
import { originOf } from '#base/origin.ts';
import type { DataClient, WaitProgress } from '#api/data/data.ts';
import type { SqlBatch } from '#api/data/sql-batches.ts';
import { silentLogger } from '#base/log.ts';
import { type Handler, json, thrown } from '#support/api/client-under-test.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { patientDataClient } from '../../../support/api/patient-client.ts';

class DataUnderTest {
  readonly clock = new ManualClock();
  readonly sent: { readonly url: string; readonly authorization: string | null; readonly body: string }[] = [];
  readonly data: DataClient;

  constructor(handler: Handler) {
    this.data = patientDataClient({
      restUrl: 'https://acme.example/cubejs-api/v1',
      credential: () => ({ kind: 'plain', token: 'jwt-1', origin: originOf('https://acme.example/cubejs-api/v1') }),
      logger: silentLogger,
      clock: this.clock,
      random: () => 0,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const body = await request.clone().text();
        this.sent.push({ url: request.url, authorization: request.headers.get('authorization'), body });
        return handler(request);
      },
    });
  }
}

const wait = (): Response => json({ error: 'Continue wait', stage: 'Executing query' });
const rows = { data: [{ 'orders.count': '42' }], annotation: { measures: {} } };

/** Answers "Continue wait" some times before the answer. */
function waiting(times: number, answer: () => Response): Handler {
  let left = times;
  return () => (left-- > 0 ? wait() : answer());
}

async function batches(source: AsyncIterable<SqlBatch>): Promise<SqlBatch[]> {
  const all: SqlBatch[] = [];
  for await (const batch of source) all.push(batch);
  return all;
}

describe('the data API', () => {
  it('reads metadata with the bare token', async () => {
    const cube = { name: 'orders', type: 'cube', measures: [{ name: 'orders.count' }], dimensions: null, extra: 1 };
    const under = new DataUnderTest(() => json({ cubes: [cube] }));
    const [first] = await under.data.meta();
    expect(first).toMatchObject({ name: 'orders', measures: [{ name: 'orders.count' }], dimensions: [], segments: [] });
    expect(under.sent).toEqual([{ url: 'https://acme.example/cubejs-api/v1/meta', authorization: 'jwt-1', body: '' }]);
  });

  it.each([[rows], [{ queryType: 'regularQuery', results: [rows] }]])('loads rows from %j', async (answer) => {
    const under = new DataUnderTest(() => json(answer));
    expect((await under.data.load({ measures: ['orders.count'] })).data).toEqual(rows.data);
    expect(under.sent[0]?.body).toBe('{"query":{"measures":["orders.count"]}}');
  });

  it.each([
    [['SELECT ?', ['x']], { sql: 'SELECT ?', values: ['x'] }],
    ['SELECT 1', { sql: 'SELECT 1', values: [] }],
  ])('compiles SQL from %j', async (sql, expected) => {
    const under = new DataUnderTest(() => json({ sql: { sql } }));
    expect(await under.data.sql({ measures: [] })).toEqual(expected);
  });

  it('sends the identical request again on "Continue wait", at a human pace, and reports to the caller', async () => {
    const under = new DataUnderTest(waiting(3, () => json(rows)));
    const told: WaitProgress[] = [];
    await under.clock.run(under.data.load({ measures: ['a.b'] }, { onWait: (progress) => told.push(progress) }));
    expect(new Set(under.sent.map(({ body }) => body)).size).toBe(1);
    expect(under.sent).toHaveLength(4);
    expect(told).toEqual([
      { elapsedMs: 0, times: 1, stage: 'Executing query' },
      { elapsedMs: 500, times: 2, stage: 'Executing query' },
      { elapsedMs: 1000, times: 3, stage: 'Executing query' },
    ]);
  });

  it('gives up after the longest wait', async () => {
    const under = new DataUnderTest(wait);
    const work = under.data.load({}, { maxWaitMs: 2000 });
    expect(await thrown(under.clock.run(work))).toMatchObject({ kind: 'timeout', operation: 'loadData' });
    expect(under.sent).toHaveLength(5);
  });

  it('stops waiting when cancelled', async () => {
    const under = new DataUnderTest(wait);
    const controller = new AbortController();
    const work = thrown(under.data.load({}, { signal: controller.signal }));
    await under.clock.advance(600);
    controller.abort();
    expect(await work).toMatchObject({ kind: 'cancelled', name: 'AbortError' });
    expect(under.sent).toHaveLength(2);
  });

  it.each([
    [400, { type: 'UserError', error: 'No such measure' }, 'invalidRequest'],
    [403, { error: 'No such measure' }, 'forbidden'],
    [500, { error: 'No such measure' }, 'server'],
    [200, { error: 'No such measure' }, 'invalidRequest'],
  ])('%i %j is an error in the engine’s words', async (status, body, kind) => {
    const under = new DataUnderTest(() => json(body, { status }));
    const error = await thrown(under.clock.run(under.data.load({})));
    expect(error).toMatchObject({ kind });
    expect((error as Error).message).toContain('“No such measure”');
  });

  it('names the field of an answer that cannot be used', async () => {
    const under = new DataUnderTest(() => json({ cubes: [{ title: 'x' }] }));
    expect(await thrown(under.data.meta())).toMatchObject({ kind: 'invalidResponse', field: 'cubes.0.name' });
  });
});

describe('SQL over the data model', () => {
  const lines = [
    { schema: [{ name: 'n', column_type: 'Int64' }, { name: 'odd' }] },
    { data: [[1], [2]] },
    { data: [['3']], somethingNew: true },
    { somethingElse: 1 },
  ];
  const ndjson = lines.map((line) => JSON.stringify(line)).join('\n');

  it('streams the schema first and then rows', async () => {
    const under = new DataUnderTest(() => new Response(ndjson));
    const columns = [
      { name: 'n', type: 'Int64' },
      { name: 'odd', type: 'String' },
    ];
    expect(await batches(under.data.cubeSql('SELECT 1'))).toEqual([
      { kind: 'schema', columns },
      { kind: 'rows', rows: [[1], [2]] },
      { kind: 'rows', rows: [['3']] },
    ]);
    expect(under.sent[0]?.body).toBe('{"query":"SELECT 1"}');
  });

  it('waits as a query does', async () => {
    const under = new DataUnderTest(waiting(2, () => new Response(ndjson)));
    expect(await under.clock.run(batches(under.data.cubeSql('SELECT 1')))).toHaveLength(3);
    expect(under.sent).toHaveLength(3);
  });

  it('that is cut within a line is an error, at whatever byte', async () => {
    const ends = new Set(
      lines.map(
        (_, at) =>
          lines
            .slice(0, at + 1)
            .map((line) => JSON.stringify(line))
            .join('\n').length,
      ),
    );
    for (let length = 1; length < ndjson.length; length++) {
      // At the end of a line nothing tells, but the length that the server announced.
      if (ends.has(length) || ends.has(length - 1)) continue;
      const under = new DataUnderTest(() => new Response(ndjson.slice(0, length)));
      expect(await thrown(batches(under.data.cubeSql('SELECT 1')))).toMatchObject({ kind: 'network' });
    }
    const announced = { headers: { 'content-length': String(ndjson.length) } };
    const cut = new DataUnderTest(() => new Response(ndjson.slice(0, ndjson.lastIndexOf('\n') + 1), announced));
    expect(await thrown(batches(cut.data.cubeSql('SELECT 1')))).toMatchObject({ kind: 'network' });
  });

  it('says what went wrong in the middle of the stream', async () => {
    const under = new DataUnderTest(() => new Response(`${JSON.stringify(lines[0])}\n{"error":"division by zero"}\n`));
    const error = await thrown(batches(under.data.cubeSql('SELECT 1/0')));
    expect((error as Error).message).toContain('“division by zero”');
  });
});
