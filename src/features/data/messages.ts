import * as v from 'valibot';
import { count, text } from '#base/message-shapes.ts';
import { parsed } from '#base/parsed.ts';
import { column, rowFilter, rowOrder, rows } from '#base/row-shapes.ts';
import { rowFormats } from '#base/row-text.ts';

/** Messages between the extension host, which holds the rows of a query, and the view that shows a part of them. */

const State = v.object({
  type: v.literal('state'),
  title: text,
  /** The name of the target, for example `Shop analytics · dev-ann`. */
  source: text,
  sql: text,
  /** The texts of the values that the rows are filtered by; a click asks for another value. */
  choices: v.exactOptional(v.array(v.object({ id: text, label: text, value: text }))),
  /** What to say about the rows that these values gave. */
  note: v.exactOptional(text),
  phase: v.picklist(['running', 'done', 'failed', 'cancelled']),
  columns: v.array(column),
  /** The number of rows that match the filter. */
  count,
  /** The number of rows that have arrived. */
  loaded: count,
  /** Whether the result has more rows than are stored. */
  isCut: v.boolean(),
  message: text,
  /** The order of the rows on the host: a page that VS Code rebuilt does not know it. */
  order: v.optional(rowOrder),
  filter: v.optional(rowFilter),
  milliseconds: v.optional(v.number()),
  /** Changes with each run, order and filter: rows of another version are stale. */
  version: count,
});
/** The state of a result view, except its rows. */
export type ResultState = v.InferOutput<typeof State>;

const HostToResults = v.variant('type', [
  State,
  v.object({ type: v.literal('rows'), version: count, offset: count, rows }),
]);
export type HostToResults = v.InferOutput<typeof HostToResults>;

const ResultsToHost = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('rows'), offset: count, count }),
  v.object({ type: v.literal('sort'), order: v.optional(rowOrder) }),
  v.object({ type: v.literal('filter'), filter: rowFilter }),
  v.object({ type: v.literal('copy'), format: v.picklist(rowFormats) }),
  v.object({ type: v.literal('choose'), id: text }),
  /** Asks the agent about a value; `cells` is its row as it is shown. */
  v.object({ type: v.literal('ask'), column: count, cells: v.array(v.nullable(text)) }),
  v.object({ type: v.picklist(['cancel', 'again', 'csv', 'openSql']) }),
]);
export type ResultsToHost = v.InferOutput<typeof ResultsToHost>;

/** Returns a message of the host; `undefined` if it is not valid. */
export function parseHostToResults(value: unknown): HostToResults | undefined {
  return parsed(HostToResults, value);
}

/** Returns a message of a result view; `undefined` if it is not valid. */
export function parseResultsToHost(value: unknown): ResultsToHost | undefined {
  return parsed(ResultsToHost, value);
}
