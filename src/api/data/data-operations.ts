import * as v from 'valibot';
import { dataTexts } from './data-failure.ts';
import { exactJson } from './exact-json.ts';
import { operation } from '#api/operation.ts';
import { freeObject, isObject, openEnum, opt, rowsOf, strictObject, text } from '#api/schema.ts';

/** The data API of an environment (docs/data-api.md); its base URL is `api_credentials.rest.url`. */

const tag = 'Data API';

const member = v.looseObject({
  name: v.string(),
  title: opt(v.string()),
  shortTitle: opt(v.string()),
  description: opt(v.string()),
  type: opt(v.string()),
  aggType: opt(v.string()),
  format: v.optional(v.unknown()),
  isVisible: opt(v.boolean()),
  public: opt(v.boolean()),
  meta: v.optional(v.unknown()),
  /** Those that a time dimension defines itself; an odd one does not hide its member. */
  granularities: v.fallback(v.optional(rowsOf(v.looseObject({ name: v.string() }))), undefined),
});

/** An odd member does not hide the others of its cube. */
const members = v.fallback(v.optional(rowsOf(member), []), []);
const metaCube = v.looseObject({
  name: v.string(),
  type: opt(openEnum(['cube', 'view'])),
  title: opt(v.string()),
  description: opt(v.string()),
  measures: members,
  dimensions: members,
  segments: members,
  hierarchies: opt(v.array(v.unknown())),
  folders: opt(v.array(v.unknown())),
});
export type MetaCube = v.InferOutput<typeof metaCube>;

/** A query for the data API: measures, dimensions, filters and so on. */
const queryBody = strictObject({ query: v.union([freeObject, v.array(freeObject)], 'must be a query') });

export const loadAnswer = v.looseObject({
  data: v.array(freeObject),
  annotation: opt(freeObject),
  query: opt(freeObject),
  total: opt(v.number()),
  lastRefreshTime: opt(v.string()),
});

/** The engine returns the statement's text and its values as a pair. */
export const sqlAnswer = v.looseObject({
  sql: v.looseObject({ sql: v.union([v.string(), v.array(v.unknown())], 'must be a statement') }),
});

/** A response that may be "Continue wait" instead; it is checked after the wait. */
const waited = v.unknown();

/** See docs/data-api.md#getmeta. */
export const getMeta = operation({
  id: 'getMeta',
  method: 'GET',
  path: '/meta',
  tag,
  host: 'data',
  texts: dataTexts('getMeta'),
  summary: 'Read the metadata of the environment.',
  query: strictObject({ extended: v.optional(v.boolean()) }),
  answer: waited,
});
export const metaAnswer = v.looseObject({ cubes: rowsOf(metaCube) });

/** See docs/data-api.md#loaddata. */
export const loadData = operation({
  id: 'loadData',
  method: 'POST',
  parse: exactJson,
  path: '/load',
  tag,
  host: 'data',
  texts: dataTexts('loadData'),
  summary: 'Run a query.',
  idempotent: true,
  body: queryBody,
  answer: waited,
});

/** See docs/data-api.md#compilesql. */
export const compileSql = operation({
  id: 'compileSql',
  method: 'POST',
  path: '/sql',
  tag,
  host: 'data',
  texts: dataTexts('compileSql'),
  summary: 'Compile a query to SQL without running it.',
  idempotent: true,
  body: queryBody,
  answer: waited,
});

/** See docs/data-api.md#runcubesql. */
export const runCubeSql = operation({
  id: 'runCubeSql',
  method: 'POST',
  path: '/cubesql',
  tag,
  host: 'data',
  texts: dataTexts('runCubeSql'),
  summary: 'Run SQL against the data model.',
  idempotent: true,
  answerKind: 'ndjson',
  body: strictObject({ query: text }),
});

/** Detects "Continue wait", after which the identical request is sent again; returns the stage that some servers include. */
export function continueWait(value: unknown): { readonly stage: string | undefined } | undefined {
  if (!isObject(value) || typeof value['error'] !== 'string' || !/^continue wait\W*$/i.test(value['error']))
    return undefined;
  return { stage: typeof value['stage'] === 'string' ? value['stage'] : undefined };
}
