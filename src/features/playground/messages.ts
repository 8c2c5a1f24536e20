import * as v from 'valibot';
import { parsed } from '#base/parsed.ts';
import { parseHostToResults, type ResultsToHost } from '#features/data/messages.ts';
import { draftSchema } from './draft.ts';

/** Messages between the extension host, which knows the model and runs queries, and the page on which a user makes them. */

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const member = v.object({
  name: text,
  kind: v.picklist(['measure', 'dimension', 'time', 'segment']),
  title: text,
  description: text,
  /** Its type in the model, for example `count` or `string`. */
  type: text,
  /** What filters compare it with. */
  valueKind: v.picklist(['text', 'number', 'time', 'boolean']),
});
/** A member of the model that queries may name. */
export type PlaygroundMember = v.InferOutput<typeof member>;

const form = v.object({ id: text, label: text, text });
/** The query as another tool takes it. */
export type QueryForm = v.InferOutput<typeof form>;

const run = v.object({ id: count, title: text, about: text });
/** A query that was run before. */
export type PastRun = v.InferOutput<typeof run>;

const chartKind = v.picklist(['line', 'bar', 'area', 'pie', 'number', 'table']);
const chart = v.object({
  type: v.literal('chart'),
  kind: chartKind,
  /** The kinds that suit the query, the best one first. */
  kinds: v.array(chartKind),
  /** A specification of Vega-Lite as JSON; empty for numbers and tables. */
  spec: text,
  rows: v.array(v.object({ x: text, series: text, value: v.nullable(v.number()) })),
  figures: v.array(v.object({ label: text, value: text })),
  /** What is not shown. */
  hint: text,
});
/** The rows of a run as a chart, in one of the kinds that suit them. */
export type PlaygroundChart = v.InferOutput<typeof chart>;

const comparison = v.object({
  type: v.literal('comparison'),
  phase: v.picklist(['none', 'running', 'done', 'failed']),
  /** What differs, or what went wrong. */
  text,
  /** Members that only one side sees. */
  notes: v.array(text),
  columns: v.array(v.object({ name: text, type: text })),
  /** A row for each difference. */
  rows: v.array(v.array(v.nullable(text))),
});
/** How the answers to one query differ between two runs, environments or identities. */
export type PlaygroundComparison = v.InferOutput<typeof comparison>;

const preAggregations = v.object({
  type: v.literal('preAggregations'),
  phase: v.picklist(['none', 'loading', 'ready', 'failed']),
  /** Which one serves the query, why that is not known, or what the user waits for. */
  text,
  /** Those of the cubes of the query, each with why it does not serve it. */
  candidates: v.array(v.object({ id: text, kind: text, isUsed: v.boolean(), reasons: v.array(text) })),
  /** The engine knows one that would serve the query. */
  canPropose: v.boolean(),
  /** Why none can. */
  obstacles: v.array(text),
  /** What became of a proposal. */
  note: text,
});
/** Why no pre-aggregation serves the query, or which one does. */
export type PlaygroundPreAggregations = v.InferOutput<typeof preAggregations>;

const HostToPlayground = v.variant('type', [
  preAggregations,
  chart,
  comparison,
  /** As whom queries run; without a name as no particular user. `hidden`: members that only you see, `additional`: only they. */
  v.object({ type: v.literal('identity'), name: text, hidden: v.array(text), additional: v.array(text) }),
  v.object({
    type: v.literal('model'),
    place: text,
    members: v.array(member),
    phase: v.picklist(['loading', 'ready', 'failed']),
    /** Why there are no members. */
    message: text,
  }),
  /** Another draft takes the place of the one on the page. */
  v.object({ type: v.literal('draft'), draft: draftSchema }),
  v.object({
    type: v.literal('checked'),
    problems: v.array(v.object({ field: text, message: text })),
    /** The query was to be run: its problems are the answer. */
    wasRun: v.boolean(),
    /** Without problems: the query for other tools. */
    forms: v.array(form),
  }),
  /** What went wrong with the last run, at the field of the member that it is about; without a field at none. */
  v.object({ type: v.literal('failure'), field: text, text }),
  /** What is known of the last run besides its rows. */
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
  /** Without a kind: the one that suits best. */
  v.object({ type: v.literal('chart'), kind: v.optional(chartKind) }),
  v.object({ type: v.literal('saveImage'), format: v.picklist(['png', 'svg']), data: text }),
  v.object({ type: v.literal('compare'), with: v.picklist(['run', 'place', 'identity']) }),
  /** Asks the agent about a value of the comparison that is shown. */
  v.object({ type: v.literal('askDifference'), column: count, cells: v.array(v.nullable(text)) }),
  v.object({ type: v.picklist(['run', 'reload', 'clearHistory']) }),
  v.object({ type: v.picklist(['compile', 'explain', 'propose', 'viewAs']) }),
  v.object({ type: v.literal('cancelComparison') }),
]);
export type PlaygroundRequest = v.InferOutput<typeof PlaygroundToHost>;
/** What is about the answer to the query, and not about the query. */
export type AnswerRequest = Extract<PlaygroundRequest, { readonly type: AnswerType }>;
type AnswerType =
  | ('compile' | 'explain' | 'propose' | 'copyText' | 'chart')
  | ('viewAs' | 'compare' | 'askDifference' | 'cancelComparison' | 'saveImage');

/** A message of the host about the query; those about its rows are read by `parseRowsMessage`. */
export function parsePlaygroundMessage(value: unknown): PlaygroundMessage | undefined {
  return parsed(HostToPlayground, value);
}

/** A message of the page about the query; those about its rows are `ResultsToHost`. */
export function parsePlaygroundRequest(value: unknown): PlaygroundRequest | undefined {
  return parsed(PlaygroundToHost, value);
}

/** The draft that a page kept, if it kept one. */
export function parseKeptDraft(value: unknown): v.InferOutput<typeof draftSchema> | undefined {
  return parsed(draftSchema, value);
}

const tab = v.picklist(['rows', 'chart', 'compare', 'sql', 'preAggregations', 'query', 'history']);
/** What is shown below the query. */
export type Tab = v.InferOutput<typeof tab>;

/** The tab that a page kept beside its draft, if it kept one. */
export function parseKeptTab(value: unknown): Tab | undefined {
  return parsed(v.object({ tab }), value)?.tab;
}

export const parseRowsMessage = parseHostToResults;
/** Everything that a page says. */
export type PlaygroundToHost = PlaygroundRequest | ResultsToHost;
export type { ResultState } from '#features/data/messages.ts';
export { type Condition, type Draft, emptyDraft, granularities, relativeRanges, columnsOf } from './draft.ts';
export { operatorsOf, valueCount } from './operators.ts';
