import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { exactJson } from '#api/data/exact-json.ts';
import { silentLogger } from '#base/log.ts';
import { sqlRows } from '#api/data/sql-rows.ts';
import { patientDataClient } from '../../../support/api/patient-client.ts';

const restUrl = 'https://data.example/cubejs-api/v1';

/** A client whose server answers like this, and the addresses with the tokens that were sent to them. */
function clientOf(answer: (request: Request) => Response) {
  const sent: (readonly [string, string | null])[] = [];
  const client = patientDataClient({
    restUrl,
    credential: () => ({ kind: 'plain', token: 'a-token', origin: 'https://data.example' as never }),
    logger: silentLogger,
    userAgent: 'test',
    fetch: async (input, init) => {
      const request = new Request(input, init);
      sent.push([request.url, request.headers.get('authorization')]);
      return Promise.resolve(answer(request));
    },
  });
  return { client, sent };
}

const text = (body: string, status = 200): Response =>
  new Response(body, { status, headers: { 'content-type': 'application/json' } });

describe('numbers of an answer', () => {
  const cases = [
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['12345678901234567890.123456789', '12345678901234567890.123456789'],
    ['0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
    ['1e400', '1e400'],
    ['-1E+400', '-1E+400'],
    ['1e-400', '1e-400'],
    ['1.50000000000000000000', '1.50000000000000000000'],
    // A JavaScript number has all digits of these.
    ['9007199254740992', 9_007_199_254_740_992],
    ['0.30000000000000004', 0.300_000_000_000_000_04],
    ['1e21', 1e21],
    ['1.5E+10', 15_000_000_000],
    ['0', 0],
  ] as const;

  it.each(cases)('lose no digit: %s', (written, expected) => {
    expect(exactJson(`{"a": [${written}, "x"], "b":${written}}`)).toEqual({ a: [expected, 'x'], b: expected });
  });

  it('that are written as text stay as they are, with all that looks like a number in texts', () => {
    const value = { a: '9007199254740993', b: 'id:9007199254740993, 1', c: 'NaN', d: 'Infinity', e: null };
    expect(exactJson(JSON.stringify(value))).toEqual(value);
  });

  it('are not checked one by one where JavaScript holds them all, as the floats of a database', () => {
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    exactJson('[11.100000000000001, 0.30000000000000004, 1e21]');
    exactJson('[9007199254740993]');
    expect(parse.mock.calls.map(([, reviver]) => reviver !== undefined)).toEqual([false, true]);
  });

  it('keep their digits in rows of queries and of SQL', async () => {
    const { client } = clientOf(({ url }) =>
      url.endsWith('/load')
        ? text('{"data": [{"orders.id": 9007199254740993, "orders.share": 0.5}]}')
        : text('{"schema":[{"name":"id","column_type":"Int64"}]}\n{"data":[[9007199254740993],[7]]}\n'),
    );
    expect((await client.load({ dimensions: ['orders.id'] })).data).toEqual([
      { 'orders.id': '9007199254740993', 'orders.share': 0.5 },
    ]);
    expect(await sqlRows(client, 'SELECT id FROM orders', {})).toEqual([{ id: '9007199254740993' }, { id: 7 }]);
  });

  it('that are not JSON are explained instead of read as something else', async () => {
    const { client } = clientOf(() => text('{"data": [{"orders.share": NaN}]}'));
    await expect(client.load({ dimensions: ['orders.share'] })).rejects.toMatchObject({
      kind: 'invalidResponse',
      message: expect.stringMatching(/not JSON/) as unknown,
    });
  });
});

describe('columns of SQL with one name', () => {
  it('all keep their values', async () => {
    const columns = ['a', 'a', 'b', 'a', 'a (2)'].map((name) => ({ name, column_type: 'String' }));
    const { client } = clientOf(() =>
      text(`${JSON.stringify({ schema: columns })}\n${JSON.stringify({ data: [['1', '2', '3', '4', '5']] })}\n`),
    );
    expect(await sqlRows(client, 'SELECT a, a, b, a, a AS "a (2)" FROM t', {})).toEqual([
      { a: '1', 'a (3)': '2', b: '3', 'a (4)': '4', 'a (2)': '5' },
    ]);
  });
});

describe('an error of a database', () => {
  it.each([
    ['column "x" does not exist\nLINE 1: SELECT x\n               ^', 'column "x" does not exist LINE 1: SELECT x'],
    ['Binder Error: no x\r\n\r\nLINE 2:  x\r\n         ^~~~\r\nHint: y', 'Binder Error: no x LINE 2: x Hint: y'],
    ['syntax error near ^ in x ^ y', 'syntax error near ^ in x ^ y'],
  ])('is shown in one line, without its pointer: %j', async (error, shown) => {
    const { client } = clientOf(() => Response.json({ error: `Error: ${error}` }, { status: 400 }));
    await expect(client.load({ measures: ['orders.x'] })).rejects.toMatchObject({
      message: expect.stringContaining(`“${shown}”`) as unknown,
    });
  });
});

describe('a redirect of a data API', () => {
  it.each([301, 302, 303, 307, 308])(
    'to another host never takes the token or the query along (%i)',
    async (status) => {
      const { client, sent } = clientOf(({ url }) =>
        url.startsWith('https://data.example/')
          ? new Response(null, { status, headers: { location: 'https://elsewhere.example/cubejs-api/v1/load' } })
          : Response.json({ data: [{ stolen: true }] }),
      );
      await expect(client.load({ measures: ['orders.count'] })).rejects.toThrow(/elsewhere\.example/);
      await expect(client.meta()).rejects.toThrow(/elsewhere\.example/);
      await expect(sqlRows(client, 'SELECT 1', {})).rejects.toThrow(/elsewhere\.example/);
      expect(new Set(sent.map(([url]) => new URL(url).host))).toEqual(new Set(['data.example']));
    },
  );
});
