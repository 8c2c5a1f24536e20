import * as v from 'valibot';
import type { QueryFilter, SemanticQuery } from '../engine/types.ts';
import { err, ok, type Result } from '#base/result.ts';
import { readDateRange, type DateRange } from './date-range.ts';

const memberName = v.pipe(
  v.string(),
  v.regex(/^[a-zA-Z0-9_]+\.[a-zA-Z0-9_]+(\.[a-zA-Z0-9_]+)?$/, 'is not a member name: write cube.member'),
);
const scalar = v.union([v.string(), v.number(), v.boolean(), v.null()]);

const operators = [
  'equals', 'notEquals', 'contains', 'notContains', 'startsWith', 'notStartsWith', 'endsWith', 'notEndsWith', 'in',
  'notIn', 'gt', 'gte', 'lt', 'lte', 'set', 'notSet', 'inDateRange', 'notInDateRange', 'onTheDate', 'beforeDate',
  'beforeOrOnDate', 'afterDate', 'afterOrOnDate', 'measureFilter',
] as const; // prettier-ignore

type RawFilter =
  | { and: RawFilter[] }
  | { or: RawFilter[] }
  | {
      member?: string | undefined;
      dimension?: string | undefined;
      operator: (typeof operators)[number];
      values?: (string | number | boolean | null)[] | undefined;
    };

const filterSchema: v.GenericSchema<RawFilter> = v.lazy((input) => {
  if (typeof input === 'object' && input !== null && 'and' in input)
    return v.strictObject({ and: v.array(filterSchema) });
  if (typeof input === 'object' && input !== null && 'or' in input)
    return v.strictObject({ or: v.array(filterSchema) });
  return v.strictObject({
    member: v.optional(memberName),
    dimension: v.optional(memberName),
    operator: v.picklist(operators),
    values: v.optional(v.array(scalar)),
  });
});

const dateRange = v.union([v.string(), v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(2))]);
const orderDirection = v.picklist(['asc', 'desc', 'none']);

const querySchema = v.strictObject({
  measures: v.optional(v.array(memberName)),
  dimensions: v.optional(v.array(memberName)),
  segments: v.optional(v.array(memberName)),
  filters: v.optional(v.array(filterSchema)),
  timeDimensions: v.optional(
    v.array(
      v.strictObject({
        dimension: memberName,
        granularity: v.nullish(v.string()),
        dateRange: v.nullish(dateRange),
        compareDateRange: v.optional(v.array(dateRange)),
      }),
    ),
  ),
  order: v.optional(
    v.union([v.record(v.string(), orderDirection), v.array(v.strictTuple([v.string(), orderDirection]))]),
  ),
  timezone: v.optional(v.string()),
  limit: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0))),
  rowLimit: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0))),
  offset: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  total: v.optional(v.boolean()),
  ungrouped: v.optional(v.boolean()),
  renewQuery: v.optional(v.boolean()),
  cache: v.optional(v.picklist(['stale-if-slow', 'stale-while-revalidate', 'must-revalidate', 'no-cache'])),
  joinHints: v.optional(v.array(v.array(v.string()))),
  responseFormat: v.optional(v.picklist(['default', 'compact', 'columnar'])),
  requestId: v.optional(v.string()),
});

export type ResponseFormat = 'default' | 'compact' | 'columnar';

/** One query after reading: what the engine takes, and what only the answer's shape needs. */
export interface ReadQuery {
  readonly query: SemanticQuery;
  readonly total: boolean;
  readonly responseFormat: ResponseFormat;
  /** The span this query covers when it is one of a `compareDateRange`. */
  readonly compared?: DateRange | undefined;
}

const defaultLimit = 10_000;
const maxLimit = 50_000;

/**
 * Reads a query of the data API (research: strict, unknown keys refused); a `compareDateRange` becomes one query a span.
 * @param now milliseconds since the epoch, for relative dates
 */
export function readQuery(raw: unknown, now: number): Result<readonly ReadQuery[], string> {
  const parsed = v.safeParse(querySchema, raw);
  if (!parsed.success) return err(`Invalid query format: ${describe(parsed.issues[0])}`);
  const input = parsed.output;
  const timezone = input.timezone ?? 'UTC';
  if (!isTimezone(timezone)) return err(`Invalid query format: "timezone" ${timezone} is not a known time zone`);
  const limit = input.limit ?? input.rowLimit ?? defaultLimit;
  if (limit > maxLimit) return err(`The query limit has been exceeded: at most ${String(maxLimit)} rows.`);
  const dates = readTimeDimensions(input, now, timezone);
  if (!dates.ok) return dates;
  const { dimensions, times, compared } = dates.value;
  const measures = input.measures ?? [];
  if (measures.length + dimensions.length === 0 && !times.some((time) => time.granularity !== undefined)) {
    return err(
      'Query should contain either measures, dimensions or timeDimensions with granularities in order to be valid',
    );
  }
  const query: SemanticQuery = { ...fixedParts(input), measures, dimensions, timeDimensions: times, timezone, limit };
  const shape = { total: input.total ?? false, responseFormat: input.responseFormat ?? 'default' };
  if (!compared) return ok([{ query, ...shape }]);
  return ok(
    compared.spans.map((span) => ({
      query: {
        ...query,
        timeDimensions: times.map((time, at) => (at === compared.at ? { ...time, dateRange: span } : time)),
      },
      ...shape,
      compared: span,
    })),
  );
}

type Input = v.InferOutput<typeof querySchema>;

function fixedParts(input: Input): Pick<SemanticQuery, 'filters' | 'segments' | 'order' | 'offset' | 'ungrouped'> {
  return {
    filters: (input.filters ?? []).map(toFilter),
    segments: input.segments ?? [],
    order: toOrder(input.order),
    offset: input.offset ?? 0,
    ...(input.ungrouped ? { ungrouped: true } : {}),
  };
}

interface Dates {
  readonly dimensions: readonly string[];
  readonly times: SemanticQuery['timeDimensions'];
  readonly compared?: { readonly at: number; readonly spans: readonly DateRange[] } | undefined;
}

/** Absolute dates; a dimension written with a granularity (`orders.created_at.month`) is a time dimension. */
function readTimeDimensions(input: Input, now: number, timezone: string): Result<Dates, string> {
  const dotted = (input.dimensions ?? []).flatMap((name) => {
    const [cube, member, granularity] = name.split('.');
    return granularity === undefined ? [] : [{ dimension: `${cube ?? ''}.${member ?? ''}`, granularity }];
  });
  const times: SemanticQuery['timeDimensions'][number][] = [...dotted];
  let compared: Dates['compared'];
  for (const time of input.timeDimensions ?? []) {
    const range =
      time.dateRange === null || time.dateRange === undefined
        ? undefined
        : readDateRange(time.dateRange, now, timezone);
    if (time.dateRange && !range) return err(`Can't parse date: '${String(time.dateRange)}'`);
    if (time.compareDateRange) {
      const spans = time.compareDateRange.map((span) => readDateRange(span, now, timezone));
      if (spans.includes(undefined)) return err(`Can't parse date: '${JSON.stringify(time.compareDateRange)}'`);
      compared = { at: times.length, spans: spans.filter((span) => span !== undefined) };
    }
    times.push({ dimension: time.dimension, granularity: time.granularity ?? undefined, dateRange: range });
  }
  return ok({ dimensions: (input.dimensions ?? []).filter((name) => name.split('.').length === 2), times, compared });
}

function toFilter(filter: RawFilter): QueryFilter {
  if ('and' in filter) return { and: filter.and.map(toFilter) };
  if ('or' in filter) return { or: filter.or.map(toFilter) };
  const { member, dimension, operator, values } = filter;
  const aliases: Partial<Record<string, string>> = { in: 'equals', notIn: 'notEquals' };
  return {
    member: member ?? dimension ?? '',
    operator: aliases[operator] ?? operator,
    ...(values === undefined ? {} : { values: values.map((value) => (value === null ? null : String(value))) }),
  };
}

function toOrder(order: Input['order']): SemanticQuery['order'] {
  if (!order) return undefined;
  const pairs = Array.isArray(order) ? order : Object.entries(order);
  return pairs.flatMap(([id, direction]) => (direction === 'none' ? [] : [{ id, desc: direction === 'desc' }]));
}

function describe(issue: v.BaseIssue<unknown>): string {
  const path = issue.path?.map((item) => String(item.key)).join('.') ?? '';
  const unknownKey = issue.type === 'strict_object' && issue.expected === 'never';
  return `"${path}" ${unknownKey ? 'is not allowed' : issue.message}`;
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}
