import * as v from 'valibot';
import type { DataQuery } from '#api/data/data.ts';
import { err, ok, type Result } from '#base/result.ts';
import { type Condition, type Draft, emptyDraft, operators } from './draft.ts';

const names = v.optional(v.array(v.string()), []);
const condition = v.strictObject({
  member: v.string(),
  operator: v.picklist(operators),
  values: v.optional(v.array(v.union([v.string(), v.number(), v.boolean()])), []),
});
/** A range in words. `between` stands for two days in a draft. */
const words = v.pipe(v.string(), v.nonEmpty(), v.notValue('between'));
const direction = v.picklist(['asc', 'desc']);
const querySchema = v.strictObject({
  measures: names,
  dimensions: names,
  segments: names,
  timeDimensions: v.optional(
    v.pipe(
      v.array(
        v.strictObject({
          dimension: v.string(),
          granularity: v.optional(v.string(), ''),
          dateRange: v.optional(v.union([words, v.tuple([v.string(), v.string()]), v.tuple([v.string()])])),
        }),
      ),
      v.maxLength(1),
    ),
    [],
  ),
  filters: v.optional(v.array(v.union([condition, v.strictObject({ or: v.array(condition) })])), []),
  order: v.optional(
    v.union([v.record(v.string(), direction), v.array(v.tuple([v.string(), v.optional(direction, 'asc')]))]),
    [],
  ),
  limit: v.optional(v.number()),
  timezone: v.optional(v.string(), emptyDraft.timezone),
});
type Known = v.InferOutput<typeof querySchema>;

/** Returns the draft of a query; the error names what the playground has no field for. */
export function draftOf(query: DataQuery): Result<Draft, string> {
  const read = v.safeParse(querySchema, query);
  if (!read.success) {
    const [issue] = read.issues;
    const path = issue.path?.map(({ key }) => String(key)).join('.') ?? '';
    return err(
      `The playground has no field for “${path}” of this query as it is written. Change it, or run it with a test.`,
    );
  }
  const { measures, dimensions, segments, filters, limit, timezone } = read.output;
  return ok({
    measures,
    dimensions,
    segments,
    time: timeOf(read.output),
    filters: filters.map((group) => ('or' in group ? group.or : [group]).map((each) => conditionOf(each))),
    order: orderOf(read.output),
    limit: limit === undefined ? emptyDraft.limit : String(limit),
    timezone,
  });
}

function timeOf({ timeDimensions: [time] }: Known): Draft['time'] {
  if (!time) return emptyDraft.time;
  const { dimension, granularity, dateRange } = time;
  if (dateRange === undefined) return { ...emptyDraft.time, dimension, granularity };
  if (typeof dateRange === 'string') return { ...emptyDraft.time, dimension, granularity, range: dateRange };
  const [from, to = from] = dateRange;
  return { dimension, granularity, range: 'between', from, to };
}

function conditionOf({ member, operator, values }: v.InferOutput<typeof condition>): Condition {
  return { member, operator, values: values.map((value) => typed(String(value))).join(', ') };
}

/** Formats a value as the user would type it; `valuesOf` parses it. */
function typed(value: string): string {
  return /[",]|^\s|\s$|^$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

function orderOf({ order, dimensions, timeDimensions: [time] }: Known): Draft['order'] {
  const pairs = Array.isArray(order) ? order : Object.entries(order);
  const grouped = time && time.granularity !== '' && !dimensions.includes(time.dimension) ? time : undefined;
  return pairs.map(([member, to]) => ({
    member: grouped?.dimension === member ? `${member}.${grouped.granularity}` : member,
    descending: to === 'desc',
  }));
}
