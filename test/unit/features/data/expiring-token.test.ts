import { describe, expect, it } from 'vitest';
import { sqlRows } from '#api/data/sql-rows.ts';
import { silentLogger } from '#base/log.ts';
import { expiryOf, signedJwt } from '#features/data/jwt.ts';
import { Queries, type QueryPorts } from '#features/data/queries.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { MemorySecrets } from '#support/memory-secrets.ts';
import { MemoryState } from '#support/memory-state.ts';

const target = { kind: 'cubeCore', restUrl: 'https://cube.example.com/cubejs-api/v1' } as const;
const minute = 60_000;
const began = Date.UTC(2026, 10, 28);
const query = { measures: ['orders.count'] };

/**
 * A server whose queries take long for as long as `isSlow` says, one minute a poll, and which refuses tokens once they have
 * expired; and the query service before it, whose form is answered with `typed`.
 */
function open(typed: readonly string[]) {
  const clock = new ManualClock(began);
  let isSlow = (): boolean => false;
  const reasons: string[] = [];
  const answers = [...typed];
  const waited: string[] = [];
  const platform = {} as Pick<QueryPorts, 'data' | 'session' | 'capabilitiesOf'>;
  const queries = new Queries({
    ...platform,
    storage: { secrets: new MemorySecrets(), user: new MemoryState(), window: new MemoryState() },
    clock,
    logger: silentLogger,
    ask: async ({ reason }, check) => {
      reasons.push(reason);
      const next = answers.shift();
      if (next !== undefined) await check(next, new AbortController().signal);
    },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const token = request.headers.get('authorization');
      if (token === null || (expiryOf(token) ?? 0) <= clock.now())
        return Response.json({ error: token === null ? 'No token' : 'jwt expired' }, { status: 403 });
      const { query: asked } = (await request.json()) as { readonly query: object | string };
      if (JSON.stringify(asked) === '{}') return Response.json({ error: 'Query should contain' }, { status: 400 });
      if (isSlow()) {
        waited.push(token);
        setImmediate(() => void clock.advance(minute));
        return Response.json({ error: 'Continue wait' });
      }
      if (request.url.endsWith('/load')) return Response.json({ data: [{ 'orders.count': '3' }] });
      return new Response('{"schema":[{"name":"n","column_type":"Int64"}]}\n{"data":[["3"]]}\n');
    },
  });
  /** The token was fetched by an earlier query, and expires two minutes after the next one began. */
  const nearlyExpire = async (): Promise<void> => {
    expect(await queries.run(target, query, { mayAsk: true })).toMatchObject({ kind: 'rows' });
    await clock.advance(58 * minute);
    isSlow = () => clock.now() < began + 63 * minute;
  };
  return { queries, reasons, nearlyExpire, tokens: () => new Set(waited).size };
}

describe('a token that expires while the server asks to wait', () => {
  it('is signed again with the secret, without a question, and the query continues', async () => {
    const { queries, reasons, nearlyExpire, tokens } = open(['the secret']);
    await nearlyExpire();
    expect(await queries.run(target, query, { mayAsk: true })).toMatchObject({
      kind: 'rows',
      rows: [{ 'orders.count': '3' }],
    });
    expect([reasons, tokens()]).toEqual([['nothing'], 2]);
  });

  it('is signed again for SQL, too', async () => {
    const { queries, reasons, nearlyExpire, tokens } = open(['the secret']);
    await nearlyExpire();
    expect(await sqlRows(queries.client(target, { mayAsk: true }), 'SELECT 3 AS n', {})).toEqual([{ n: '3' }]);
    expect([reasons, tokens()]).toEqual([['nothing'], 2]);
  });

  it('is asked for again where the user pasted it, and the query continues with the new one', async () => {
    const [first, second] = await Promise.all([pasted(1), pasted(24)]);
    const { queries, reasons, nearlyExpire, tokens } = open([first, second]);
    await nearlyExpire();
    expect(await queries.run(target, query, { mayAsk: true })).toMatchObject({ kind: 'rows' });
    expect([reasons, tokens()]).toEqual([['nothing', 'refused'], 2]);
  });

  it('ends a query of the background with what the server says, and does not ask the user', async () => {
    const { queries, reasons, nearlyExpire } = open([await pasted(1)]);
    await nearlyExpire();
    expect(await queries.run(target, query, { mayAsk: false })).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/^Cube Core at cube\.example\.com refused the token.*jwt expired/) as unknown,
    });
    expect(reasons).toEqual(['nothing']);
  });
});

/** A token that the user pastes, with a lifetime in hours. */
const pasted = async (hours: number): Promise<string> =>
  signedJwt('a secret', {}, { now: began, lifetimeMs: hours * 60 * minute });
