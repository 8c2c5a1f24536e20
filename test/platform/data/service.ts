import { join } from 'node:path';
import type { Clock } from '#base/clock.ts';
import { err, ok, type Result } from '#base/result.ts';
import type { PlatformDeps } from '../deps.ts';
import type { CubeMeta, GeneratedSql, SecurityContext, SemanticQuery, SqlResult } from '../engine/index.ts';
import { planSql } from './cubesql/plan.ts';
import { columnType, toLoadResult, type LoadResult } from './answer.ts';
import type { ReadQuery } from './query.ts';
import { fullSize, openWarehouse, type ResultTable, type Value, type Warehouse } from './warehouse/warehouse.ts';

/** Whose model is asked, and on whose behalf. */
export interface Target {
  readonly deploymentId: string;
  readonly branchName: string;
  readonly securityContext: SecurityContext;
}

/** An error as the data API answers it. */
export interface DataError {
  readonly status: 400 | 500;
  readonly type?: 'UserError' | undefined;
  readonly error: string;
}

/** Rows of SQL over the model; values are text, booleans or null, as `/cubesql` answers them. */
interface SqlTable {
  readonly schema: readonly { readonly name: string; readonly column_type: string }[];
  readonly data: readonly (readonly (string | boolean | null)[])[];
}

/** The data model of a branch at one moment, compiled, on behalf of someone. */
export interface ModelSession {
  /** Cubes and views that the security context may see. */
  readonly cubes: readonly CubeMeta[];
  readonly compilerId: string;
  generate(query: SemanticQuery): Promise<Result<GeneratedSql, DataError>>;
  load(query: ReadQuery, signal?: AbortSignal): Promise<Result<LoadResult, DataError>>;
  /** Runs SQL over cubes and views; see `planSql`. */
  cubeSql(sql: string, signal?: AbortSignal): Promise<Result<SqlTable, DataError>>;
}

/** Queries over the data models of branches, answered by the sample warehouse: shared by the data API and the chat agent. */
export interface DataService {
  /** Takes a branch's model as it is now; what changes later does not reach the session. Rejects for an unknown branch. */
  open(target: Target): Promise<Result<ModelSession, DataError>>;
  close(): Promise<void>;
}

type ServiceDeps = Pick<PlatformDeps, 'dataDir' | 'clock' | 'engine' | 'modelFiles' | 'options'>;

/** How long a query may run before answers call it slow. */
const slowAfter = 5000;

const services = new WeakMap<ServiceDeps, DataService>();

/**
 * The data service of a platform: the same one for every caller that passes its dependencies, since it owns the open
 * warehouse.
 */
export function dataServiceOf(deps: ServiceDeps): DataService {
  const service = services.get(deps) ?? createDataService(deps);
  services.set(deps, service);
  return service;
}

function createDataService(deps: ServiceDeps): DataService {
  const warehouse = lazyWarehouse(deps);
  return {
    open: async (target) => {
      const { files } = await deps.modelFiles(target.deploymentId, target.branchName);
      const compiled = await deps.engine.compile(files, target.securityContext);
      if (!compiled.ok) return err({ status: 500, error: compiled.errorText });
      const { meta: cubes, compilerId } = compiled;
      const sqlOf = (query: SemanticQuery): Promise<SqlResult> => deps.engine.sql(files, query, target.securityContext);
      return ok(createSession({ clock: deps.clock, warehouse, cubes, compilerId, sqlOf }));
    },
    close: () => warehouse.close(),
  };
}

interface SessionParts {
  readonly clock: Clock;
  readonly warehouse: LazyWarehouse;
  readonly cubes: readonly CubeMeta[];
  readonly compilerId: string;
  readonly sqlOf: (query: SemanticQuery) => Promise<SqlResult>;
}

function createSession({ clock, warehouse, cubes, compilerId, sqlOf }: SessionParts): ModelSession {
  const generate: ModelSession['generate'] = async (query) => fromEngine(await sqlOf(query));
  const countRows = async (query: SemanticQuery): Promise<Result<number, DataError>> => {
    const sql = await generate({ ...query, limit: null, offset: 0, totalQuery: true });
    if (!sql.ok) return sql;
    const counted = await run(warehouse, sql.value);
    return counted.ok ? ok(Number(counted.value.rows[0]?.[0] ?? 0)) : counted;
  };
  return {
    cubes,
    compilerId,
    generate,
    load: async (read, signal) => {
      const started = clock.now();
      const generated = await generate(read.query);
      if (!generated.ok) return generated;
      const rows = await run(warehouse, generated.value, signal);
      if (!rows.ok) return rows;
      const total = read.total ? await countRows(read.query) : ok(null);
      if (!total.ok) return total;
      const table = { result: rows.value, columns: generated.value.columns, total: total.value };
      const finished = clock.now();
      const answered = { meta: cubes, at: new Date(finished).toISOString(), slow: finished - started > slowAfter };
      return ok(toLoadResult(read, table, answered));
    },
    cubeSql: async (sql, signal) => {
      const planned = await planSql(sql, { meta: cubes, now: clock.now(), generate: sqlOf });
      if (!planned.ok) return err({ status: 400, type: 'UserError', error: planned.error });
      const rows = await run(warehouse, planned.value, signal);
      return rows.ok ? ok(toSqlTable(rows.value)) : err(blamed(rows.error));
    },
  };
}

/** The text of a SQL request is the asker's: what the database cannot read in it is their mistake, not a failure. */
function blamed(failure: DataError): DataError {
  const isTheirs = /\b(?:Parser|Binder|Catalog|Conversion|Invalid Input|Out of Range) Error\b/.test(failure.error);
  return isTheirs ? { status: 400, type: 'UserError', error: failure.error } : failure;
}

interface LazyWarehouse {
  open(): Promise<Warehouse>;
  close(): Promise<void>;
}

/** Opens (or first generates) the warehouse at the first query; queries that come meanwhile wait for the same one. */
function lazyWarehouse(deps: ServiceDeps): LazyWarehouse {
  const rows = deps.options.warehouseRows ?? fullSize;
  const folder = deps.options.warehouseDir ?? join(deps.dataDir, 'warehouse');
  const file = join(folder, `shop-v1-${String(rows)}.duckdb`);
  let opening: Promise<Warehouse> | undefined;
  return {
    open: () => {
      opening ??= openWarehouse(file, rows).catch((error: unknown) => {
        // The next query tries again.
        opening = undefined;
        throw error;
      });
      return opening;
    },
    close: async () => {
      const opened = await opening?.catch(() => undefined);
      opening = undefined;
      await opened?.close();
    },
  };
}

async function run(
  warehouse: LazyWarehouse,
  { sql, params }: { readonly sql: string; readonly params: readonly Value[] },
  signal?: AbortSignal,
): Promise<Result<ResultTable, DataError>> {
  const open = await warehouse.open();
  try {
    return ok(await open.query(sql, params, signal));
  } catch (error) {
    if (signal?.aborted) throw error;
    return err({ status: 500, error: error instanceof Error ? error.message : String(error) });
  }
}

function fromEngine(result: SqlResult): Result<GeneratedSql, DataError> {
  if (result.ok) return ok(result.value);
  if (result.type === 'UserError') return err({ status: 400, type: 'UserError', error: result.error });
  return err({
    status: 500,
    error: result.error,
  });
}

function toSqlTable(table: ResultTable): SqlTable {
  return {
    schema: table.columns.map(({ name, type }) => ({ name, column_type: columnType(type) })),
    data: table.rows.map((row) =>
      row.map((value) => (value === null || typeof value === 'boolean' ? value : String(value))),
    ),
  };
}
