import type { DataQuery } from '#api/data/data.ts';
import { type Condition, type Draft, timeColumn, valuesOf } from './draft.ts';
import { valueCount } from './operators.ts';

/** Returns the data API query of a draft without problems (docs/data-api.md#loaddata), without empty fields. */
export function buildQuery(draft: Draft): DataQuery {
  const { dimension, granularity, range } = draft.time;
  // Without a granularity and a range a time dimension would have no effect.
  return queryOf(draft, dimension !== '' && (granularity !== '' || range !== ''));
}

/** As {@link buildQuery}, for a file: `draftOf` returns the same draft, also with a time dimension that has no effect. */
export function savedQuery(draft: Draft): DataQuery {
  const query = queryOf(draft, draft.time.dimension !== '');
  const pairs = orderOf(draft);
  const order: Readonly<Record<string, string>> = Object.fromEntries(pairs);
  // Easier to read; a map cannot name a member twice.
  return pairs.length > 0 && Object.keys(order).length === pairs.length ? { ...query, order } : query;
}

function queryOf(draft: Draft, hasTime: boolean): DataQuery {
  const { measures, dimensions, segments, filters, limit, timezone } = draft;
  return {
    ...listed('measures', measures),
    ...listed('dimensions', dimensions),
    ...listed('segments', segments),
    ...listed('timeDimensions', hasTime ? [timeDimensionOf(draft.time)] : []),
    ...listed(
      'filters',
      filters.flatMap((group) => groupOf(group)),
    ),
    ...listed('order', orderOf(draft)),
    limit: Number(limit),
    timezone,
  };
}

function listed(name: string, values: readonly unknown[]): Readonly<Record<string, unknown>> {
  return values.length === 0 ? {} : { [name]: values };
}

function timeDimensionOf({
  dimension,
  granularity,
  range,
  from,
  to,
}: Draft['time']): Readonly<Record<string, unknown>> {
  const dateRange = range === 'between' ? [from, to] : range;
  return { dimension, ...(granularity === '' ? {} : { granularity }), ...(range === '' ? {} : { dateRange }) };
}

function groupOf(group: readonly Condition[]): readonly unknown[] {
  const [first, ...others] = group.map((condition) => conditionOf(condition));
  if (first === undefined) return [];
  return others.length === 0 ? [first] : [{ or: [first, ...others] }];
}

function conditionOf({ member, operator, values }: Condition): Readonly<Record<string, unknown>> {
  return { member, operator, ...(valueCount(operator) === 'none' ? {} : { values: valuesOf(values) }) };
}

/**
 * Returns the order: the data API sorts a grouped time dimension by the dimension's name, which names another column where the
 * query has the dimension ungrouped, too.
 */
function orderOf({ order, time, dimensions }: Draft): readonly (readonly [string, 'asc' | 'desc'])[] {
  const column = dimensions.includes(time.dimension) ? undefined : timeColumn(time);
  return order.map(({ member, descending }) => [
    member === column ? time.dimension : member,
    descending ? 'desc' : 'asc',
  ]);
}
