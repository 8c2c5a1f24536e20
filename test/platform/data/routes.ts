import { createHash } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { err, ok, type Result } from '#base/result.ts';
import type { Mount, PlatformDeps } from '../deps.ts';
import { checkAccess, type DataAccess } from './access.ts';
import { queryOf, type LoadResult } from './answer.ts';
import { readQuery, type ReadQuery } from './query.ts';
import { hiddenMember, visible } from './visibility.ts';
import { dataServiceOf, type DataError, type ModelSession } from './service.ts';
import { createWaitRoom, type WaitRoom } from './wait-room.ts';

/** How long a request waits for its query before it is told to come again. */
const defaultWindow = 10_000;

/** Rows a line of `/cubesql`. */
const rowsPerLine = 500;

/**
 * The data API of an environment (docs/data-api.md), mounted below
 * `/data/:environmentId/cubejs-api/v1`: `/meta`, `/load`, `/dry-run`, `/sql`, `/cubesql`.
 */
export function dataRoutes(deps: PlatformDeps): Mount {
  const service = dataServiceOf(deps);
  const room = createWaitRoom(deps.clock, deps.options.dataWaitMs ?? defaultWindow);
  const app = new Hono();
  /** Authenticates the caller, opens the model, and turns failures into the API's errors. */
  const handle =
    (answer: (asked: Asked) => Promise<Response>, forMeta = false) =>
    async (c: Context): Promise<Response> => {
      const header = c.req.header('x-cube-authorization') ?? c.req.header('authorization');
      const access = await checkAccess(deps, c.req.param('environmentId') ?? '', header);
      if (!access.ok) return c.json({ error: access.error.error }, access.error.status);
      if (access.value.metaOnly && !forMeta) return c.json({ error: 'API scope is missing: data' }, 403);
      const started = deps.clock.now();
      const open = (): Promise<Result<ModelSession, DataError>> => service.open(access.value);
      const response = await Promise.resolve(readInput(c))
        .then((input) => answer({ c, deps, access: access.value, input, open }))
        .catch((error: unknown) => c.json({ error: error instanceof Error ? error.message : String(error) }, 500));
      logRequest(deps, c, { access: access.value, status: response.status, ms: deps.clock.now() - started });
      return response;
    };

  app.get('/meta', handle(metaAnswer, true));
  app.on(
    ['GET', 'POST'],
    '/load',
    handle((asked) => loadAnswer(asked, room)),
  );
  app.on(['GET', 'POST'], '/sql', handle(sqlAnswer));
  app.on(['GET', 'POST'], '/dry-run', handle(dryRunAnswer));
  app.on(['GET', 'POST'], '/cubesql', handle(cubeSqlAnswer));
  app.all('*', (c) => c.json({ error: `There is no ${c.req.method} ${c.req.path}.` }, 404));
  return {
    app,
    close: async () => {
      await room.close();
      await service.close();
    },
  };
}

/** A line for the deployment's logs: what was asked and how it went, no bodies. */
function logRequest(
  deps: PlatformDeps,
  c: Context,
  { access, status, ms }: { readonly access: DataAccess; readonly status: number; readonly ms: number },
): void {
  const { deploymentId, branchName, environmentType } = access;
  deps.log({
    deploymentId,
    source: environmentType === 'production' ? 'production' : 'dev',
    container: 'api-proxy',
    branchName,
    message: `${c.req.method} ${c.req.path} ${String(status)} ${String(ms)} ms`,
  });
}

interface Asked {
  readonly c: Context;
  readonly deps: PlatformDeps;
  readonly access: DataAccess;
  readonly input: Input;
  readonly open: () => Promise<Result<ModelSession, DataError>>;
}

async function metaAnswer({ c, open }: Asked): Promise<Response> {
  const model = await open();
  if (!model.ok) return failed(c, model.error);
  return c.json({ cubes: visible(model.value.cubes), compilerId: model.value.compilerId });
}

/** A query that takes long answers "Continue wait" in time; the same request again finds it running, or its result. */
async function loadAnswer(asked: Asked, room: WaitRoom): Promise<Response> {
  const { c, access, input } = asked;
  const key = createHash('sha1')
    .update(JSON.stringify([access, input]))
    .digest('hex');
  const waited = await room.wait(key, () => loadAll(asked));
  if (!waited.done) {
    const timeElapsed = Math.round(waited.elapsed / 1000);
    return c.json({ error: 'Continue wait', stage: 'Executing query', timeElapsed });
  }
  const answer = waited.value;
  return answer.ok ? c.json(toLoadAnswer(answer.value, input['queryType'])) : failed(c, answer.error);
}

async function sqlAnswer(asked: Asked): Promise<Response> {
  const { c } = asked;
  const read = await readQueries(asked);
  if (!read.ok) return failed(c, read.error);
  const answers: unknown[] = [];
  for (const { query } of read.value.queries) {
    const generated = await read.value.model.generate(query);
    if (!generated.ok) return failed(c, generated.error);
    const { sql, params, columns } = generated.value;
    const order = query.order ?? [];
    const parts = { sql: [sql, params], aliasNameToMember: columns, order, dataSource: 'default', external: false };
    answers.push({ sql: { status: 'ok', ...parts } });
  }
  return c.json(read.value.kind === 'regularQuery' ? answers[0] : answers);
}

async function dryRunAnswer(asked: Asked): Promise<Response> {
  const read = await readQueries(asked);
  if (!read.ok) return failed(asked.c, read.error);
  const { kind, queries } = read.value;
  const normalized = queries.map(queryOf);
  return asked.c.json({
    queryType: kind,
    normalizedQueries: normalized,
    queryOrder: queries.map(({ query }) =>
      Object.fromEntries((query.order ?? []).map(({ id, desc }) => [id, desc ? 'desc' : 'asc'])),
    ),
    transformedQueries: [],
    pivotQuery: { ...normalized[0], queryType: kind },
  });
}

/** NDJSON: the schema, then rows in lines of a few hundred. */
async function cubeSqlAnswer({ c, deps, input, open }: Asked): Promise<Response> {
  const sql = input['query'];
  if (typeof sql !== 'string') return failed(c, userError('Query param is required: the SQL to run.'));
  const model = await open();
  if (!model.ok) return failed(c, model.error);
  const table = await model.value.cubeSql(sql, c.req.raw.signal);
  if (!table.ok) return failed(c, table.error);
  const { schema, data } = table.value;
  const lines = [JSON.stringify({ schema, lastRefreshTime: new Date(deps.clock.now()).toISOString() })];
  for (let at = 0; at < data.length; at += rowsPerLine) {
    lines.push(JSON.stringify({ data: data.slice(at, at + rowsPerLine) }));
  }
  return c.body(`${lines.join('\n')}\n`, 200, { 'content-type': 'application/x-ndjson' });
}

type QueryKind = 'regularQuery' | 'compareDateRangeQuery' | 'blendingQuery';

interface Loaded {
  readonly kind: QueryKind;
  readonly results: readonly LoadResult[];
}

async function loadAll(asked: Asked): Promise<Result<Loaded, DataError>> {
  const read = await readQueries(asked);
  if (!read.ok) return read;
  const results: LoadResult[] = [];
  for (const query of read.value.queries) {
    const result = await read.value.model.load(query);
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

interface ReadQueries {
  readonly kind: QueryKind;
  readonly queries: readonly ReadQuery[];
  readonly model: ModelSession;
}

async function readQueries({ input, deps, open }: Asked): Promise<Result<ReadQueries, DataError>> {
  const raw = input['query'];
  if (raw === undefined) return err(userError('Query param is required'));
  const queries: ReadQuery[] = [];
  let kind: QueryKind = Array.isArray(raw) ? 'blendingQuery' : 'regularQuery';
  for (const one of Array.isArray(raw) ? (raw as readonly unknown[]) : [raw]) {
    const read = readQuery(one, deps.clock.now());
    if (!read.ok) return err(userError(read.error));
    if (read.value.some((query) => query.compared)) kind = 'compareDateRangeQuery';
    queries.push(...read.value);
  }
  const model = await open();
  if (!model.ok) return model;
  const hidden = hiddenMember(model.value.cubes, queries.map(({ query }) => query)); // prettier-ignore
  if (hidden === undefined) return ok({ kind, queries, model: model.value });
  return err(userError(`You requested hidden member: '${hidden}'. Please make it visible using \`public: true\``));
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
