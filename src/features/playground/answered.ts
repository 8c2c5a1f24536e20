import { CancelledError } from '#base/async.ts';
import type { Column, Row } from '#base/cells.ts';
import { readableTime } from '#base/timestamps.ts';
import type { QueryOutcome } from '#features/data/index.ts';
import { columnsOf, type Draft } from './draft.ts';

type Rows = Extract<QueryOutcome, { readonly kind: 'rows' }>;

/** Returns the rows of a run; throws for every other outcome, as `QueryRun` expects. */
export function rowsIn(outcome: QueryOutcome): Rows {
  switch (outcome.kind) {
    case 'rows':
      return outcome;
    case 'cancelled':
      throw new CancelledError();
    default:
      throw new Error(outcome.message);
  }
}

/**
 * Returns the facts of a run besides its rows, one line each; `identity` is the identity that it ran as, if not the user's own.
 */
export function factLines(
  { source, preAggregations, lastRefreshTime, total }: Rows['facts'],
  identity: string | undefined,
): readonly string[] {
  return [
    source,
    ...(identity === undefined ? [] : [`As ${identity}`]),
    preAggregations.length > 0
      ? `Served by the pre-aggregation ${preAggregations.join(', ')}`
      : 'No pre-aggregation was used, or the server does not name it',
    ...(lastRefreshTime === undefined ? [] : [`Data of ${readableTime(lastRefreshTime)}`]),
    ...(total === undefined ? [] : [`${total.toLocaleString('en')} rows without the limit`]),
  ];
}

/** Returns the rows as a table with a draft’s columns in their order; `typeOf` provides types that the server does not report. */
export function answeredTable(
  draft: Draft,
  { rows, annotation }: Pick<Rows, 'rows' | 'annotation'>,
  typeOf: (name: string) => string,
): { readonly columns: readonly Column[]; readonly cells: readonly Row[] } {
  const names = columnsOf(draft);
  const types = { ...annotation.measures, ...annotation.dimensions, ...annotation.timeDimensions };
  return {
    columns: names.map((name) => ({ name, type: types[name]?.type ?? typeOf(name) })),
    cells: rows.map((row) => names.map((name) => row[name] ?? null)),
  };
}
