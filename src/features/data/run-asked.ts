import { sqlRows } from '#api/data/sql-rows.ts';
import type { QueryOrSql } from '#model/query-files/query-file.ts';
import { outcomeOf } from './query-outcome.ts';
import type { QueryOutcome, QueryService, QueryTarget, QueryOptions } from './query-service.ts';

/** Runs queries of the data API and SQL. */
export type AskedQueries = Pick<QueryService, 'run' | 'client' | 'nameOf'>;

/**
 * Runs the query of a query file on a target: a query of the data API, or SQL. Does not throw for errors that a server reports.
 */
export async function runAsked(
  queries: AskedQueries,
  target: QueryTarget,
  asked: QueryOrSql,
  options: QueryOptions = {},
): Promise<QueryOutcome> {
  if (typeof asked !== 'string') return queries.run(target, asked, options);
  const { signal, mayAsk, securityContext } = options;
  const began = Date.now();
  try {
    const rows = await sqlRows(queries.client(target, { mayAsk, securityContext }), asked, { signal });
    const facts = { source: await queries.nameOf(target), milliseconds: Date.now() - began, preAggregations: [] };
    return { kind: 'rows', rows, annotation: { measures: {}, dimensions: {}, timeDimensions: {} }, facts };
  } catch (error) {
    return outcomeOf(error);
  }
}
