import type { DataQuery } from '#api/data.ts';
import { type Condition, type Draft, timeColumn, valuesOf } from './draft.ts';
import { valueCount } from './operators.ts';

/** Returns the data API query of a draft without problems (docs/data-api.md#loaddata), without empty fields. */
export function buildQuery(draft: Draft): DataQuery {
  const { measures, dimensions, segments, filters, limit, timezone } = draft;
  return {
    ...listed('measures', measures),
    ...listed('dimensions', dimensions),
    ...listed('segments', segments),
    ...listed('timeDimensions', timeDimensionOf(draft.time)),
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

function timeDimensionOf({ dimension, granularity, range, from, to }: Draft['time']): readonly unknown[] {
  // Without a granularity and a range it would have no effect.
  if (dimension === '' || (granularity === '' && range === '')) return [];
  const dateRange = range === 'between' ? [from, to] : range;
  return [{ dimension, ...(granularity === '' ? {} : { granularity }), ...(range === '' ? {} : { dateRange }) }];
}

function groupOf(group: readonly Condition[]): readonly unknown[] {
  const [first, ...others] = group.map((condition) => conditionOf(condition));
  if (first === undefined) return [];
  return others.length === 0 ? [first] : [{ or: [first, ...others] }];
}

function conditionOf({ member, operator, values }: Condition): Readonly<Record<string, unknown>> {
  return { member, operator, ...(valueCount(operator) === 'none' ? {} : { values: valuesOf(values) }) };
}

/** Returns the order: the data API sorts a grouped time dimension by the dimension's name. */
function orderOf({ order, time }: Draft): readonly unknown[] {
  const column = timeColumn(time);
  return order.map(({ member, descending }) => [
    member === column ? time.dimension : member,
    descending ? 'desc' : 'asc',
  ]);
}
