import { createHash } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { ok, type Result } from '#base/result.ts';
import type { Mount, PlatformDeps } from '../deps.ts';
import { checkAccess, type DataAccess } from './access.ts';
import { queryOf, type LoadResult } from './answer.ts';
import { readQuery, type ReadQuery } from './query.ts';
import { hiddenMember, visible } from './visibility.ts';
import { dataServiceOf, type DataError, type DataService } from './service.ts';
import { createWaitRoom } from './wait-room.ts';

/** How long a request waits for its query before it is told to come again. */
const defaultWindow = 10_000;

/** Rows a line of `/cubesql`. */
const rowsPerLine = 500;

/**
 * The data API of an environment (payloads, *Data API*; research/engine.md §7), mounted below
 * `/data/:environmentId/cubejs-api/v1`: `/meta`, `/load`, `/dry-run`, `/sql`, `/cubesql`.
 */
export function dataRoutes(deps: PlatformDeps): Mount {
  const service = dataServiceOf(deps);
  const room = createWaitRoom(deps.clock, deps.options.dataWaitMs ?? defaultWindow);
  const app = new Hono();
  const withAccess =
    (handler: (c: Context, access: DataAccess) => Promise<Response>, forMeta = false) =>
    async (c: Context): Promise<Response> => {
      const header = c.req.header('x-cube-authorization') ?? c.req.header('authorization');
      const access = checkAccess(deps, c.req.param('environmentId') ?? '', header);
      if (!access.ok) return c.json({ error: access.error.error }, access.error.status);
      if (access.value.metaOnly && !forMeta) return c.json({ error: 'API scope is missing: data' }, 403);
      try {
        return await handler(c, access.value);
      } catch (error) {
        return c.json({ error: error instanceof Error ? error.message : String(error) }, 500);
      }
    };

  app.get('/meta', withAccess((c, access) => metaAnswer(c, service, access), true)); // prettier-ignore
  app.on(['GET', 'POST'], '/load', withAccess(async (c, access) => {
    const input = await readInput(c);
    const key = createHash('sha1').update(JSON.stringify([access, input])).digest('hex');
    const waited = await room.wait(key, () => loadAll(deps, service, access, input));
    if (!waited.done) return c.json({ error: 'Continue wait', stage: 'Executing query', timeElapsed: Math.round(waited.elapsed / 1000) });
    const answer = waited.value;
    return answer.ok ? c.json(toLoadAnswer(answer.value, input['queryType'])) : failed(c, answer.error);
  })); // prettier-ignore
  app.on(['GET', 'POST'], '/sql', withAccess((c, access) => sqlAnswer(c, { deps, service, access }))); // prettier-ignore
  app.on(['GET', 'POST'], '/dry-run', withAccess((c, access) => dryRunAnswer(c, { deps, service, access }))); // prettier-ignore
  app.on(['GET', 'POST'], '/cubesql', withAccess((c, access) => cubeSqlAnswer(c, service, access))); // prettier-ignore
  return { app, close: () => service.close() };
}

interface Asked {
  readonly deps: PlatformDeps;
  readonly service: DataService;
  readonly access: DataAccess;
}

async function metaAnswer(c: Context, service: DataService, access: DataAccess): Promise<Response> {
  const meta = await service.meta(access);
  return meta.ok
    ? c.json({ cubes: visible(meta.value.cubes), compilerId: meta.value.compilerId })
    : failed(c, meta.error);
}

async function sqlAnswer(c: Context, { deps, service, access }: Asked): Promise<Response> {
  const read = await readQueries(await readInput(c), deps, { service, access });
  if (!read.ok) return failed(c, read.error);
  const answers: unknown[] = [];
  for (const { query } of read.value.queries) {
    const generated = await service.generate(access, query);
    if (!generated.ok) return failed(c, generated.error);
    const { sql, params, columns } = generated.value;
    answers.push({
      sql: {
        status: 'ok',
        sql: [sql, params],
        aliasNameToMember: columns,
        order: query.order ?? [],
        dataSource: 'default',
        external: false,
      },
    });
  }
  return c.json(read.value.kind === 'regularQuery' ? answers[0] : answers);
}

async function dryRunAnswer(c: Context, { deps, service, access }: Asked): Promise<Response> {
  const read = await readQueries(await readInput(c), deps, { service, access });
  if (!read.ok) return failed(c, read.error);
  const normalized = read.value.queries.map(queryOf);
  return c.json({
    queryType: read.value.kind,
    normalizedQueries: normalized,
    queryOrder: read.value.queries.map(({ query }) =>
      Object.fromEntries((query.order ?? []).map(({ id, desc }) => [id, desc ? 'desc' : 'asc'])),
    ),
    transformedQueries: [],
    pivotQuery: { ...normalized[0], queryType: read.value.kind },
  });
}

/** NDJSON: the schema, then rows in lines of a few hundred. */
async function cubeSqlAnswer(c: Context, service: DataService, access: DataAccess): Promise<Response> {
  const input = await readInput(c);
  if (typeof input['query'] !== 'string') return failed(c, userError('Query param is required: the SQL to run.'));
  const table = await service.cubeSql(access, input['query'], c.req.raw.signal);
  if (!table.ok) return failed(c, table.error);
  const { schema, data } = table.value;
  const lines = [JSON.stringify({ schema, lastRefreshTime: new Date().toISOString() })];
  for (let at = 0; at < data.length; at += rowsPerLine)
    lines.push(JSON.stringify({ data: data.slice(at, at + rowsPerLine) }));
  return c.body(`${lines.join('\n')}\n`, 200, { 'content-type': 'application/x-ndjson' });
}

type QueryKind = 'regularQuery' | 'compareDateRangeQuery' | 'blendingQuery';

interface Loaded {
  readonly kind: QueryKind;
  readonly results: readonly LoadResult[];
}

async function loadAll(
  deps: PlatformDeps,
  service: DataService,
  access: DataAccess,
  input: Input,
): Promise<Result<Loaded, DataError>> {
  const read = await readQueries(input, deps, { service, access });
  if (!read.ok) return read;
  const results: LoadResult[] = [];
  for (const query of read.value.queries) {
    const result = await service.load(access, query);
    if (!result.ok) return result;
    results.push(result.value);
  }
  return ok({ kind: read.value.kind, results });
}

/** Clients of today ask for `queryType: "multi"`; without it the answer is the one result itself. */
function toLoadAnswer({ kind, results }: Loaded, queryType: unknown): unknown {
  const [first] = results;
  if (queryType !== 'multi' && kind === 'regularQuery') return first;
  const slowQuery = results.some((result) => result.slowQuery);
  return { queryType: kind, results, pivotQuery: { ...first?.query, queryType: kind }, slowQuery };
}

async function readQueries(
  input: Input,
  deps: PlatformDeps,
  { service, access }: { service: DataService; access: DataAccess },
): Promise<Result<{ readonly kind: QueryKind; readonly queries: readonly ReadQuery[] }, DataError>> {
  const raw = input['query'];
  if (raw === undefined) return { ok: false, error: userError('Query param is required') };
  const queries: ReadQuery[] = [];
  let kind: QueryKind = Array.isArray(raw) ? 'blendingQuery' : 'regularQuery';
  for (const one of Array.isArray(raw) ? (raw as readonly unknown[]) : [raw]) {
    const read = readQuery(one, deps.clock.now());
    if (!read.ok) return { ok: false, error: userError(read.error) };
    if (read.value.some((query) => query.compared)) kind = 'compareDateRangeQuery';
    queries.push(...read.value);
  }
  const meta = await service.meta(access);
  if (!meta.ok) return meta;
  const hidden = hiddenMember(
    meta.value.cubes,
    queries.map(({ query }) => query),
  );
  if (hidden !== undefined) {
    return {
      ok: false,
      error: userError(`You requested hidden member: '${hidden}'. Please make it visible using \`public: true\``),
    };
  }
  return ok({ kind, queries });
}

type Input = Readonly<Record<string, unknown>>;

/** The body of a POST, or the query string of a GET, in which objects are JSON. */
async function readInput(c: Context): Promise<Input> {
  const raw: unknown = c.req.method === 'POST' ? await c.req.json().catch(() => ({})) : c.req.query();
  if (typeof raw !== 'object' || raw === null) return {};
  const input: Record<string, unknown> = { ...raw };
  const { query } = input;
  if (typeof query === 'string' && /^\s*[[{]/.test(query)) {
    try {
      input['query'] = JSON.parse(query) as unknown;
    } catch {
      // Not JSON after all: the schema says what is wrong with it.
    }
  }
  return input;
}

function userError(error: string): DataError {
  return { status: 400, type: 'UserError', error };
}

function failed(c: Context, { status, ...body }: DataError): Response {
  return c.json(body, status);
}
