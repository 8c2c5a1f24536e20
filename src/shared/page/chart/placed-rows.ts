import type { ChartRows } from './extent.ts';
import { measuredFields } from './measured-fields.ts';
import type { Json } from './rules.ts';

/**
 * Returns the rows without the numbers that have no place on a logarithmic axis: one zero would leave the whole chart empty. A
 * column that the chart shows in another way as well keeps its numbers.
 */
export function placedRows(spec: Json, rows: ChartRows): ChartRows {
  const used = measuredFields(spec).flat();
  const logarithmic = new Set(used.filter(({ excludes }) => excludes === 'zeroAndLess').map(({ field }) => field));
  for (const { field, excludes } of used) if (excludes !== 'zeroAndLess') logarithmic.delete(field);
  const isPlaced = (value: unknown): boolean => typeof value !== 'number' || value > 0;
  if (logarithmic.size === 0) return rows;
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, logarithmic.has(name) && !isPlaced(value) ? null : value]),
    ),
  );
}
