import type { DataQuery, LoadAnswer } from '#api/data/data.ts';
import { isObject } from '#api/schema.ts';
import type { Chart } from './messages.ts';
import { numberIn } from '#base/cells.ts';

const mostPoints = 60;
const mostSeries = 6;
const mostRows = 30;

/**
 * Returns a chart of a query's rows: lines over time, bars by dimension, a single figure as a number, anything else as a table.
 */
export function chartOf(query: DataQuery, { data }: Pick<LoadAnswer, 'data'>): Chart {
  const measures = textsIn(query['measures']).slice(0, mostSeries);
  const times = timesIn(query['timeDimensions']);
  const dimensions = textsIn(query['dimensions']);
  const empty = { labels: [], series: [], columns: [], rows: [] };
  const [time] = times;
  if (measures.length === 0 || (data.length > 0 && !hasFigures(data, measures))) return { ...empty, ...table(data) };
  if (time === undefined && dimensions.length === 0) {
    return { ...empty, kind: 'number', series: seriesOf(data.slice(0, 1), measures) };
  }
  const points = data.slice(0, mostPoints);
  const keys = time === undefined ? dimensions : [time, ...dimensions];
  return {
    ...empty,
    kind: time !== undefined && dimensions.length === 0 ? 'line' : 'bars',
    labels: points.map((row) => keys.map((key) => labelOf(row[key])).join(' · ')),
    series: seriesOf(points, measures),
  };
}

type Rows = LoadAnswer['data'];

function hasFigures(data: Rows, measures: readonly string[]): boolean {
  return measures.some((measure) => data.some((row) => numberIn(row[measure]) !== null));
}

function seriesOf(rows: Rows, measures: readonly string[]): Chart['series'] {
  return measures.map((name) => ({ name, values: rows.map((row) => numberIn(row[name])) }));
}

function table(data: Rows): Pick<Chart, 'kind' | 'columns' | 'rows'> {
  const columns = Object.keys(data[0] ?? {});
  return {
    kind: 'table',
    columns,
    rows: data.slice(0, mostRows).map((row) => columns.map((column) => labelOf(row[column]))),
  };
}

function labelOf(value: unknown): string {
  if (value === null || value === undefined) return '∅';
  if (typeof value === 'string') return value.replace(/T00:00:00(\.0+)?Z?$/, '');
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** Returns the columns of time dimensions with a granularity: `orders.created_at.month`. */
function timesIn(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : []).flatMap((each: unknown) => {
    const { dimension, granularity } = isObject(each) ? each : {};
    return typeof dimension === 'string' && typeof granularity === 'string' ? [`${dimension}.${granularity}`] : [];
  });
}
