import * as v from 'valibot';
import { count, text } from '#base/message-shapes.ts';
import { parsed } from '#base/parsed.ts';
import { column, rows } from '#base/row-shapes.ts';
import { parseHostToResults, type ResultsToHost } from '#features/data/messages.ts';
import { draftSchema } from './draft.ts';

/** Messages between the extension host, which knows the model and runs queries, and the page on which a user makes them. */

const member = v.object({
  name: text,
  kind: v.picklist(['measure', 'dimension', 'time', 'segment']),
  title: text,
  description: text,
  /** Its type in the model, for example `count` or `string`. */
  type: text,
  /** The kind of value that filters compare it with. */
  valueKind: v.picklist(['text', 'number', 'time', 'boolean']),
  /** The granularities that a time dimension defines itself. */
  granularities: v.exactOptional(v.array(text)),
});
/** A member of the model that queries may name. */
export type PlaygroundMember = v.InferOutput<typeof member>;

const form = v.object({ id: text, label: text, text });
/** The query in the form of another tool. */
export type QueryForm = v.InferOutput<typeof form>;

const run = v.object({ id: count, title: text, about: text });
/** A previous run of a query. */
export type PastRun = v.InferOutput<typeof run>;

const chartKind = v.picklist(['line', 'bar', 'area', 'pie', 'number', 'table']);
const chart = v.object({
  type: v.literal('chart'),
  kind: chartKind,
  /** The kinds that suit the query, best first. */
  kinds: v.array(chartKind),
  /** A Vega-Lite specification as JSON; empty for numbers and tables. */
  spec: text,
  rows: v.array(v.object({ x: text, series: text, value: v.nullable(v.number()) })),
  figures: v.array(v.object({ label: text, value: text })),
  /** A note on what is left out. */
  hint: text,
});
/** The rows of a run as a chart, in one of the kinds that suit them. */
export type PlaygroundChart = v.InferOutput<typeof chart>;

const comparison = v.object({
  type: v.literal('comparison'),
  phase: v.picklist(['none', 'running', 'done', 'failed']),
  /** A summary of the differences, or the error. */
  text,
  /** Members that only one side sees. */
  notes: v.array(text),
  columns: v.array(column),
  /** One row for each difference. */
  rows,
});
/** The differences between the answers to one query in two runs, environments or identities. */
export type PlaygroundComparison = v.InferOutput<typeof comparison>;

const preAggregations = v.object({
  type: v.literal('preAggregations'),
  phase: v.picklist(['none', 'loading', 'ready', 'failed']),
  /** The pre-aggregation that serves the query, the error, or the step in progress. */
  text,
  /** The pre-aggregations of the query's cubes, each with the reasons why it does not serve the query. */
  candidates: v.array(v.object({ id: text, kind: text, isUsed: v.boolean(), reasons: v.array(text) })),
  /** Whether the engine knows a pre-aggregation that would serve the query. */
  canPropose: v.boolean(),
  /** The reasons why none could serve the query. */
  obstacles: v.array(text),
  /** The outcome of a proposal. */
  note: text,
});
/** The pre-aggregation that serves the query, or the reasons why none does. */
export type PlaygroundPreAggregations = v.InferOutput<typeof preAggregations>;

const HostToPlayground = v.variant('type', [
  preAggregations,
  chart,
  comparison,
  /**
   * The identity that queries run as; an empty name is the user's own. `hidden`: members that only the user sees, `additional`:
   * only the identity.
   */
  v.object({ type: v.literal('identity'), name: text, hidden: v.array(text), additional: v.array(text) }),
  v.object({
    type: v.literal('model'),
    source: text,
    members: v.array(member),
    phase: v.picklist(['loading', 'ready', 'failed']),
    /** The reason why there are no members. */
    message: text,
  }),
  /** The members of the folder's model that are written, but not in the model where queries run. */
  v.object({
    type: v.literal('unbuilt'),
    members: v.array(v.object({ name: text, kind: v.picklist(['measure', 'dimension', 'time', 'segment']) })),
  }),
  /** Replaces the draft of the page. */
  v.object({ type: v.literal('draft'), draft: draftSchema }),
  v.object({
    type: v.literal('checked'),
    problems: v.array(v.object({ field: text, message: text })),
    /** Whether the user tried to run the query, so that its problems are shown. */
    wasRun: v.boolean(),
    /** The query for other tools; empty if it has problems. */
    forms: v.array(form),
  }),
  /** The error of the last run, with the field of the member that caused it; empty if there is none. */
  v.object({ type: v.literal('failure'), field: text, text }),
  /** Facts of the last run besides its rows. */
  v.object({ type: v.literal('facts'), lines: v.array(text) }),
  v.object({ type: v.literal('sql'), phase: v.picklist(['none', 'loading', 'ready', 'failed']), text }),
  v.object({ type: v.literal('history'), runs: v.array(run) }),
]);
export type PlaygroundMessage = v.InferOutput<typeof HostToPlayground>;

const PlaygroundToHost = v.variant('type', [
  v.object({ type: v.literal('opened'), draft: v.optional(draftSchema) }),
  v.object({ type: v.literal('change'), draft: draftSchema }),
  v.object({ type: v.literal('rerun'), id: count }),
  v.object({ type: v.literal('copyText'), text }),
  /** Without a kind: the most suitable one. */
  v.object({ type: v.literal('chart'), kind: v.optional(chartKind) }),
  v.object({ type: v.literal('saveImage'), format: v.picklist(['png', 'svg']), data: text }),
  v.object({ type: v.literal('compare'), with: v.picklist(['run', 'target', 'identity']) }),
  /** Asks the agent about a value of the shown comparison. */
  v.object({ type: v.literal('askDifference'), column: count, cells: v.array(v.nullable(text)) }),
  v.object({ type: v.picklist(['run', 'reload', 'save', 'clearHistory']) }),
  v.object({ type: v.picklist(['compile', 'cancelCompile', 'explain', 'propose', 'viewAs']) }),
  v.object({ type: v.literal('cancelComparison') }),
]);
export type PlaygroundRequest = v.InferOutput<typeof PlaygroundToHost>;
/** Requests about the answer to the query, not about the query itself. */
export type AnswerRequest = Extract<PlaygroundRequest, { readonly type: AnswerType }>;
type AnswerType =
  | ('compile' | 'cancelCompile' | 'explain' | 'propose' | 'copyText' | 'chart')
  | ('viewAs' | 'compare' | 'askDifference' | 'cancelComparison' | 'saveImage');

/** Returns a message of the host about the query; `parseRowsMessage` parses those about its rows. */
export function parsePlaygroundMessage(value: unknown): PlaygroundMessage | undefined {
  return parsed(HostToPlayground, value);
}

/** Returns a message of the page about the query; those about its rows are `ResultsToHost`. */
export function parsePlaygroundRequest(value: unknown): PlaygroundRequest | undefined {
  return parsed(PlaygroundToHost, value);
}

/** Returns the draft in a page's stored state, if there is one. */
export function parseKeptDraft(value: unknown): v.InferOutput<typeof draftSchema> | undefined {
  return parsed(draftSchema, value);
}

const tab = v.picklist(['rows', 'chart', 'compare', 'sql', 'preAggregations', 'query', 'history']);
/** The tabs below the query. */
export type Tab = v.InferOutput<typeof tab>;

/** Returns the tab in a page's stored state, if there is one. */
export function parseKeptTab(value: unknown): Tab | undefined {
  return parsed(v.object({ tab }), value)?.tab;
}

export const parseRowsMessage = parseHostToResults;
/** Every message of the page. */
export type PlaygroundToHost = PlaygroundRequest | ResultsToHost;
export type { ResultState } from '#features/data/messages.ts';
export { type Condition, type Draft, emptyDraft, granularities, relativeRanges, columnsOf } from './draft.ts';
export { operatorsOf, valueCount } from './operators.ts';
