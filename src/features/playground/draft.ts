import * as v from 'valibot';

/** The operators of filters (docs/data-api.md#filters). */
export const operators = [
  ...(['equals', 'notEquals', 'contains', 'notContains', 'startsWith', 'notStartsWith', 'endsWith'] as const),
  ...(['notEndsWith', 'gt', 'gte', 'lt', 'lte', 'inDateRange', 'notInDateRange', 'beforeDate'] as const),
  ...(['beforeOrOnDate', 'afterDate', 'afterOrOnDate', 'set', 'notSet'] as const),
] as const;
export type Operator = (typeof operators)[number];

/** The units that every time dimension can be grouped by; `''`: not grouped. */
export const granularities = ['', 'second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;

/** Relative date ranges that the server understands. */
export const relativeRanges = [
  ...(['today', 'yesterday', 'this week', 'this month', 'this quarter', 'this year'] as const),
  ...(['last 7 days', 'last 30 days', 'last week', 'last month', 'last quarter', 'last year'] as const),
] as const;

const condition = v.object({
  member: v.string(),
  operator: v.picklist(operators),
  /** As typed: values are separated by commas; a value that contains a comma is in double quotes. */
  values: v.string(),
});

/** The user's input, whether or not it is a valid query. Texts are as typed. */
export const draftSchema = v.object({
  measures: v.array(v.string()),
  dimensions: v.array(v.string()),
  segments: v.array(v.string()),
  time: v.object({
    /** `''` for none. */
    dimension: v.string(),
    /** One of `granularities`, or one that the time dimension defines itself. */
    granularity: v.string(),
    /** `between`, `''` for all time, or a range in words: one of `relativeRanges`, or another one that a query was opened with. */
    range: v.string(),
    from: v.string(),
    to: v.string(),
  }),
  /** Rows match every group; a group matches if one of its conditions does. */
  filters: v.array(v.array(condition)),
  order: v.array(v.object({ member: v.string(), descending: v.boolean() })),
  limit: v.string(),
  timezone: v.string(),
});
export type Draft = v.InferOutput<typeof draftSchema>;
export type Condition = Draft['filters'][number][number];

/** An empty draft; the limit keeps a first query small. */
export const emptyDraft: Draft = {
  measures: [],
  dimensions: [],
  segments: [],
  time: { dimension: '', granularity: '', range: '', from: '', to: '' },
  filters: [],
  order: [],
  limit: '1000',
  timezone: 'UTC',
};

/** Whether every time dimension can be grouped by a granularity. */
export function isCommonGranularity(granularity: string): granularity is (typeof granularities)[number] {
  return granularities.some((each) => each === granularity);
}

/** Returns the column of a grouped time dimension, for example `orders.created_at.month`. */
export function timeColumn({ dimension, granularity }: Draft['time']): string | undefined {
  return dimension === '' || granularity === '' ? undefined : `${dimension}.${granularity}`;
}

/** Returns the columns of a draft's answer, in the order in which they are shown. */
export function columnsOf(draft: Draft): readonly string[] {
  const time = timeColumn(draft.time);
  return [...(time === undefined ? [] : [time]), ...draft.dimensions, ...draft.measures];
}

/** Returns the columns that the rows of a draft’s query are grouped by: all except its measures. */
export function keysOf(draft: Draft): readonly string[] {
  return columnsOf({ ...draft, measures: [] });
}

/** Returns the values of a typed condition: split at commas outside double quotes, and trimmed. */
export function valuesOf(typed: string): readonly string[] {
  const values: string[] = [];
  let rest = typed.trim();
  while (rest !== '') {
    const quoted = /^"((?:[^"]|"")*)"\s*(?:,\s*|$)/.exec(rest);
    const [all = rest, value = ''] = quoted ?? /^([^,]*)(?:,\s*|$)/.exec(rest) ?? [];
    if (quoted) values.push(value.replaceAll('""', '"'));
    else if (value.trim() !== '') values.push(value.trimEnd());
    rest = rest.slice(all.length);
  }
  return values;
}
