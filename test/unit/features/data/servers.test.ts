import { describe, expect, it } from 'vitest';
import type { DataClientOptions } from '#api/data/data.ts';
import { silentLogger } from '#base/log.ts';
import { Queries, type QueryPorts } from '#features/data/queries.ts';
import { possibleAddresses } from '#features/data/server-address.ts';
import { serverName } from '#features/data/query-targets.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { MemorySecrets } from '#support/memory-secrets.ts';
import { MemoryState } from '#support/memory-state.ts';

type Serve = (request: Request) => Promise<Response>;

/** The query service before servers, each at its base address; `secrets` are entered when a server asks. */
function serviceOf(
  servers: Readonly<Record<string, Serve>>,
  typed: string[] = [],
  proxyOf?: DataClientOptions['proxyOf'],
) {
  // A Cube Core server needs nothing from the platform.
  const platform = {} as Pick<QueryPorts, 'data' | 'session' | 'capabilitiesOf'>;
  const ports: QueryPorts = {
    ...platform,
    storage: { secrets: new MemorySecrets(), user: new MemoryState(), window: new MemoryState() },
    // Pauses between attempts end at once.
    clock: Object.assign(new ManualClock(Date.UTC(2026, 10, 28)), { sleep: async () => Promise.resolve() }),
    logger: silentLogger,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const base = Object.keys(servers).find((each) => request.url.startsWith(`${each}/`));
      return (base === undefined ? undefined : await servers[base]?.(request)) ?? new Response('', { status: 404 });
    },
    ask: async (_, check) => {
      const next = typed.shift();
      if (next !== undefined) await check(next, new AbortController().signal);
    },
  };
  return new Queries(ports, proxyOf);
}

/** A server in production mode that accepts tokens of one secret only, which it finds out by a second signature. */
const server =
  (rows: readonly unknown[], cube: string, accepts: (token: string) => boolean = () => true): Serve =>
  async (request) => {
    const token = request.headers.get('authorization');
    if (token === null || !accepts(token)) return Response.json({ error: 'Invalid token' }, { status: 403 });
    if (request.url.endsWith('/meta'))
      return Response.json({ cubes: [{ name: cube, measures: [], dimensions: [], segments: [] }] });
    const { query } = (await request.json()) as { readonly query: object };
    return Object.keys(query).length === 0
      ? Response.json({ error: 'Query should contain either measures, dimensions' }, { status: 400 })
      : Response.json({ data: rows, annotation: {} });
  };

describe('two Cube Core servers on one host', () => {
  const [sales, stock] = ['https://cube.example.com/sales/v1', 'https://cube.example.com/stock/v1'];

  it('have their own secrets, metadata and names', async () => {
    const tokens = new Map<string, Set<string>>([sales, stock].map((each) => [each, new Set()]));
    const noted = (base: string) => (token: string) => tokens.get(base)?.add(token) !== undefined;
    const queries = serviceOf(
      { [sales]: server([{ a: 1 }], 'sales', noted(sales)), [stock]: server([{ a: 2 }], 'stock', noted(stock)) },
      ['secret of sales', 'secret of stock'],
    );
    const cubesOf = async (restUrl: string) =>
      (await queries.meta({ kind: 'cubeCore', restUrl }, { mayAsk: true })).map(({ name }) => name);
    expect([await cubesOf(sales), await cubesOf(stock)]).toEqual([['sales'], ['stock']]);
    const shared = [...(tokens.get(sales) ?? [])].filter((token) => tokens.get(stock)?.has(token));
    expect(shared).toEqual([]);
    expect([sales, stock].map((each) => serverName(each))).toEqual([
      'Cube Core at cube.example.com/sales/v1',
      'Cube Core at cube.example.com/stock/v1',
    ]);
  });
});

describe('the address of a server', () => {
  it('is found where the user leaves out the end of it, or enters that of a request', async () => {
    const restUrl = 'https://cube.example.com/analytics/v1';
    const queries = serviceOf({ [restUrl]: server([], 'orders') });
    for (const typed of ['https://cube.example.com/analytics', `${restUrl}/load`, `${restUrl}/meta`, restUrl]) {
      expect(await queries.find(typed)).toEqual({ ok: true, value: restUrl });
    }
    expect(possibleAddresses('http://[::1]:4000')).toEqual([
      'http://[::1]:4000',
      'http://[::1]:4000/v1',
      'http://[::1]:4000/cubejs-api/v1',
    ]);
  });

  it('is refused with what the server answers, or why it cannot be reached', async () => {
    const queries = serviceOf({
      'https://self.example.com': () => Promise.reject(failed('DEPTH_ZERO_SELF_SIGNED_CERT')),
      'https://down.example.com': () => Promise.reject(failed('ECONNREFUSED')),
      'https://other.example.com': () => Promise.resolve(new Response('<html>', { status: 200 })),
    });
    const said = async (typed: string): Promise<string> => {
      const found = await queries.find(typed);
      return found.ok ? found.value : found.error;
    };
    expect(await said('https://self.example.com/cubejs-api/v1')).toMatch(
      /certificate of self\.example\.com is not trusted/,
    );
    expect(await said('https://down.example.com/cubejs-api/v1')).toMatch(/down\.example\.com/);
    expect(await said('https://other.example.com/cubejs-api/v1')).toMatch(/^No Cube Core server answers at /);
  });
});

/** What `fetch` rejects with where the connection fails. */
function failed(code: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
}

describe('a query through a proxy', () => {
  const restUrl = 'https://cube.example.com/cubejs-api/v1';
  const through = (serve: Serve) =>
    serviceOf({ [restUrl]: serve }, ['secret'], () => ({ host: 'proxy.example:3128', from: 'http.proxy' }));
  const page = (status: number) => async () =>
    new Response('<html>', { status, headers: { 'content-type': 'text/html' } });

  it.each<[string, Serve]>([
    ['refuses', () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }))],
    ['asks who it is', page(407)],
    ['cannot reach the server', page(502)],
  ])('names the proxy that %s, also where a server is searched', async (_name, serve) => {
    const queries = through(serve);
    const named = /proxy\.example:3128/;
    await expect(queries.meta({ kind: 'cubeCore', restUrl }, { mayAsk: true })).rejects.toThrow(named);
    expect(await queries.find('https://cube.example.com')).toMatchObject({
      ok: false,
      error: expect.stringMatching(named) as string,
    });
  });
});
