import * as v from 'valibot';
import { parsed } from '#base/parsed.ts';
import { rowConditions } from '#base/row-filter.ts';
import { rowFormats } from '#base/row-text.ts';

/** Messages between the extension host, which holds the rows of a query, and the view that shows a part of them. */

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const order = v.object({ column: count, descending: v.boolean() });
const filter = v.object({ column: v.optional(count), condition: v.picklist(rowConditions), value: text });

const State = v.object({
  type: v.literal('state'),
  title: text,
  /** The name of the target, for example `Shop analytics · dev-ann`. */
  source: text,
  sql: text,
  /** The texts of the values that the rows are filtered by; a click asks for another value. */
  choices: v.exactOptional(v.array(v.object({ id: text, label: text, value: text }))),
  phase: v.picklist(['running', 'done', 'failed', 'cancelled']),
  columns: v.array(v.object({ name: text, type: text })),
  /** The number of rows that match the filter. */
  count,
  /** The number of rows that have arrived. */
  loaded: count,
  /** Whether the result has more rows than are stored. */
  isCut: v.boolean(),
  message: text,
  /** The order of the rows on the host: a page that VS Code rebuilt does not know it. */
  order: v.optional(order),
  filter: v.optional(filter),
  milliseconds: v.optional(v.number()),
  /** Changes with each run, order and filter: rows of another version are stale. */
  version: count,
});
/** The state of a result view, except its rows. */
export type ResultState = v.InferOutput<typeof State>;

const HostToResults = v.variant('type', [
  State,
  v.object({ type: v.literal('rows'), version: count, offset: count, rows: v.array(v.array(v.nullable(text))) }),
]);
export type HostToResults = v.InferOutput<typeof HostToResults>;

const ResultsToHost = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('rows'), offset: count, count }),
  v.object({ type: v.literal('sort'), order: v.optional(order) }),
  v.object({ type: v.literal('filter'), filter }),
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
