import { err, ok, type Result } from '#base/result.ts';
import type { EngineQuery } from '#language-server/engine/messages.ts';

/**
 * Converts a query of the data API to the form that the engine takes (docs/data-api.md#loaddata): every list is present, and
 * relative date ranges become days. `today` is the start of that day in UTC.
 */
export function engineQuery(query: Readonly<Record<string, unknown>>, today: Date): Result<EngineQuery, string> {
  const times: EngineQuery['timeDimensions'][number][] = [];
  for (const each of list(query['timeDimensions'])) {
    const { dimension, granularity, dateRange } = Object(each) as Readonly<Record<string, unknown>>;
    const range = dateRange === undefined ? ok(undefined) : dayRange(dateRange, today);
    if (!range.ok) return range;
    times.push({
      dimension: String(dimension),
      granularity: typeof granularity === 'string' && granularity !== '' ? granularity : undefined,
      dateRange: range.value,
    });
  }
  const { limit, timezone, ungrouped } = query;
  return ok({
    measures: names(query['measures']),
    dimensions: names(query['dimensions']),
    segments: names(query['segments']),
    timeDimensions: times,
    filters: list(query['filters']).map((filter) => filterOf(filter, today)),
    order: orderOf(query['order']),
    timezone: typeof timezone === 'string' ? timezone : 'UTC',
    rowLimit: typeof limit === 'number' ? limit : undefined,
    ungrouped: ungrouped === true ? true : undefined,
  });
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** Returns a filter value as text. */
const scalar = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const names = (value: unknown): readonly string[] => list(value).map(String);

/** Converts a filter: its values become texts, and relative date ranges become days. */
function filterOf(value: unknown, today: Date): object {
  const filter = Object(value) as Readonly<Record<string, unknown>>;
  for (const key of ['and', 'or']) {
    if (key in filter) return { [key]: list(filter[key]).map((each) => filterOf(each, today)) };
  }
  const { member = filter['dimension'], operator, values } = filter;
  const given = values === undefined ? undefined : list(values).map((each) => (each === null ? null : scalar(each)));
  const isRange = operator === 'inDateRange' || operator === 'notInDateRange';
  const days = isRange && given ? dayRange(given, today) : undefined;
  return { member, operator, values: days?.ok ? days.value : given };
}

function orderOf(value: unknown): EngineQuery['order'] {
  if (value === undefined) return undefined;
  const pairs: readonly unknown[] = Array.isArray(value) ? value : Object.entries(Object(value) as object);
  const order = pairs.flatMap((pair) => {
    const [id, direction] = list(pair);
    return typeof id === 'string' ? [{ id, desc: direction === 'desc' }] : [];
  });
  return order.length > 0 ? order : undefined;
}

/** Returns the first and the last moment of a range, both inclusive. */
function dayRange(value: unknown, today: Date): Result<readonly [string, string], string> {
  const [from, to = from] = Array.isArray(value) ? value.map(String) : [String(value)];
  if (from === undefined) return err('A date range is empty.');
  const days = from === to ? relativeRange(from, today) : undefined;
  if (days) return ok([`${day(days[0])}T00:00:00.000`, `${day(days[1])}T23:59:59.999`]);
  const [first, last] = [moment(from, '00:00:00.000'), moment(to ?? from, '23:59:59.999')];
  if (first === undefined || last === undefined)
    return err(`“${from}” depends on when the query runs, and cannot be judged here. Choose the days instead.`);
  return ok([first, last]);
}

function moment(text: string, time: string): string | undefined {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return `${text}T${time}`;
  if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text)) return undefined;
  return text.replace(' ', 'T').replace(/Z$/, '');
}

const day = (date: Date): string => date.toISOString().slice(0, 10);

/** Parses `today`, `yesterday`, `this month`, `last quarter`, `last 30 days`; weeks begin on Monday. */
function relativeRange(phrase: string, today: Date): readonly [Date, Date] | undefined {
  const text = phrase.trim().toLowerCase();
  if (text === 'today') return [today, today];
  if (text === 'yesterday') return [plusDays(today, -1), plusDays(today, -1)];
  const [, which, count = '', unit = ''] =
    /^(this|last|next)\s+(?:(\d+)\s+)?(day|week|month|quarter|year)s?$/.exec(text) ?? [];
  if (which === undefined || !isUnit(unit)) return undefined;
  const start = startOf(unit, today);
  if (which === 'this') return [start, plusDays(plus(unit, start, 1), -1)];
  const many = count === '' ? 1 : Number(count);
  return which === 'last'
    ? [plus(unit, start, -many), plusDays(start, -1)]
    : [plus(unit, start, 1), plusDays(plus(unit, start, many + 1), -1)];
}

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year';
const isUnit = (text: string): text is Unit => ['day', 'week', 'month', 'quarter', 'year'].includes(text);

function plusDays(date: Date, days: number): Date {
  return new Date(date.getTime() + days * 86_400_000);
}

function startOf(unit: Unit, date: Date): Date {
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (unit) {
    case 'week':
      return plusDays(date, -((date.getUTCDay() + 6) % 7));
    case 'month':
      return new Date(Date.UTC(year, month, 1));
    case 'quarter':
      return new Date(Date.UTC(year, month - (month % 3), 1));
    case 'year':
      return new Date(Date.UTC(year, 0, 1));
    default:
      return date;
  }
}

function plus(unit: Unit, date: Date, count: number): Date {
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (unit) {
    case 'day':
      return plusDays(date, count);
    case 'week':
      return plusDays(date, count * 7);
    default: {
      const months = unit === 'year' ? 12 : unit === 'quarter' ? 3 : 1;
      return new Date(Date.UTC(year, month + months * count, 1));
    }
  }
}
