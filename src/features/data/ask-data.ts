import type { DataClient, DataOptions, DataQuery, LoadAnswer } from '#api/data.ts';

/** How a query is run; `limit`: the most rows that are asked for, where the query does not ask for fewer. */
export interface AskOptions extends Pick<DataOptions, 'signal' | 'onWait'> {
  readonly limit?: number | undefined;
}

/** Runs a query of the data API, in the editor and for every tool. Throws `PlatformError`. */
export async function loadRows(
  client: Pick<DataClient, 'load'>,
  query: DataQuery,
  { limit, ...options }: AskOptions = {},
): Promise<LoadAnswer> {
  if (limit === undefined) return client.load(query, options);
  const limited = withLimit(query, limit);
  // Servers take 0 for “no limit”.
  const answer = await client.load({ ...limited, limit: Math.max(1, limited.limit) }, options);
  return { ...answer, data: answer.data.slice(0, limited.limit) };
}

/** The query with a limit that is never above the given one. */
export function withLimit(asked: DataQuery, limit: number): DataQuery & { readonly limit: number } {
  // An older spelling of the limit would count as well.
  const { rowLimit, ...rest } = asked;
  const own = [rest['limit'], rowLimit].filter((each): each is number => Number.isInteger(each) && Number(each) >= 0);
  return { ...rest, limit: Math.min(limit, ...own) };
}

/** A statement of the database, with the values of its parameters in their order. */
export type Statement = Awaited<ReturnType<DataClient['sql']>>;

/** The SQL that the engine makes of a query, which is not run. Throws `PlatformError`. */
export async function statementOf(
  client: Pick<DataClient, 'sql'>,
  query: DataQuery,
  options: Pick<DataOptions, 'signal'> = {},
): Promise<Statement> {
  return client.sql(query, options);
}

/** The values of a statement as comments, a line each. */
export function valueLines(values: Statement['values']): readonly string[] {
  return values.map((value, at) => `-- $${at + 1} = ${JSON.stringify(value) ?? ''}`);
}
