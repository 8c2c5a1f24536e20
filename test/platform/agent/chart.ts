import type { Plan } from './plan.ts';
import { columnsOf, type PlannedColumn } from './query-sql.ts';

/**
 * A Vega-Lite v5 specification without data (docs/chat.md#tools) that suits a plan: a line over time, bars otherwise; undefined for
 * a single number.
 */
export function writeChart(plan: Plan): string | undefined {
  const columns = columnsOf(plan);
  const time = columns.find((column) => column.role === 'time');
  const [first, second] = columns.filter((column) => column.role === 'dimension');
  const measure = columns.find((column) => column.role === 'measure');
  if (!measure || !(time ?? first)) return undefined;
  const y = { field: measure.name, type: 'quantitative', title: measure.entry.title };
  const common = { $schema: 'https://vega.github.io/schema/vega-lite/v5.json', width: 'container' };
  if (time) {
    const x = { field: time.name, type: 'temporal', title: null };
    return JSON.stringify({
      ...common,
      mark: plan.order ? { type: 'bar', tooltip: true } : { type: 'line', point: true, tooltip: true },
      encoding: { x, y, ...(first ? { color: colour(first) } : {}) },
    });
  }
  const bars = {
    field: first?.name,
    type: 'nominal',
    sort: plan.order === 'ascending' ? 'x' : '-x',
    title: first?.entry.title,
  };
  return JSON.stringify({
    ...common,
    mark: { type: 'bar', tooltip: true },
    encoding: { y: bars, x: y, ...(second ? { color: colour(second) } : {}) },
  });
}

function colour(column: PlannedColumn): Readonly<Record<string, unknown>> {
  return { field: column.name, type: 'nominal', title: column.entry.title };
}
