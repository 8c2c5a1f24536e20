import { smallest } from '#base/long-lists.ts';
import type { DataClient, DataOptions, DataQuery, LoadAnswer } from '#api/data/data.ts';
import { PlatformError } from '#api/errors.ts';
import { isObject } from '#api/schema.ts';

/** Options of a query; `limit`: the most rows to request, unless the query itself requests fewer. */
export interface AskOptions extends Pick<DataOptions, 'signal' | 'onWait'> {
  readonly limit?: number | undefined;
}

/** Runs a query of the data API, for the editor and for all tools. Throws `PlatformError`. */
export async function loadRows(
  client: Pick<DataClient, 'load'>,
  query: DataQuery,
  { limit, ...options }: AskOptions = {},
): Promise<LoadAnswer> {
  requireOneResult(query);
  if (limit === undefined) return client.load(query, options);
  const limited = withLimit(query, limit);
  // Servers treat 0 as “no limit”.
  const answer = await client.load({ ...limited, limit: Math.max(1, limited.limit) }, options);
  return { ...answer, data: answer.data.slice(0, limited.limit) };
}

/** Throws for a query whose answer would be one result for each of several date ranges: only the first one would be shown. */
function requireOneResult({ timeDimensions }: DataQuery): void {
  if (!Array.isArray(timeDimensions)) return;
  if (!timeDimensions.some((each) => isObject(each) && each['compareDateRange'] !== undefined)) return;
  const message = '“compareDateRange” is not supported here. Run one query for each period.';
  throw new PlatformError({ kind: 'invalidRequest', operation: 'loadData', message });
}

/** Returns the query with a limit that never exceeds the given one. */
export function withLimit(asked: DataQuery, limit: number): DataQuery & { readonly limit: number } {
  // An older spelling of the limit also counts.
  const { rowLimit, ...rest } = asked;
  const own = [rest['limit'], rowLimit].filter((each): each is number => Number.isInteger(each) && Number(each) >= 0);
  return { ...rest, limit: smallest([limit, ...own]) };
}

/** An SQL statement of the database, with its parameter values in order. */
export type Statement = Awaited<ReturnType<DataClient['sql']>>;

/** Resolves to the SQL that the engine compiles a query to, without running it. Throws `PlatformError`. */
export async function statementOf(
  client: Pick<DataClient, 'sql'>,
  query: DataQuery,
  options: Pick<DataOptions, 'signal'> = {},
): Promise<Statement> {
  return client.sql(query, options);
}

/** Returns the values of a statement as comments, one line each. */
export function valueLines(values: Statement['values']): readonly string[] {
  return values.map((value, at) => `-- $${at + 1} = ${JSON.stringify(value) ?? ''}`);
}
