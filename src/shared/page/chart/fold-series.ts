import type { ChartRows } from './extent.ts';

/** The most entries of a legend: with more series than colours, two series would share a colour. */
const mostSeries = 20;
/** The name of a column that no result has. */
const folded = 'modelbench series';

type Channel = Readonly<Record<string, unknown>>;
interface Unit {
  readonly mark?: unknown;
  readonly encoding?: unknown;
  readonly data?: unknown;
}

/**
 * Gives the largest series their own colours and draws all others in one, named in the legend with their number. Nothing is
 * summed: each of the others remains its own line, bar or point, since a sum of averages or ratios would be wrong. A chart with
 * its own colours, or with few series, stays unchanged.
 */
export function foldSeries<S extends Unit>(spec: S, rows: ChartRows): { readonly spec: S; readonly rows: ChartRows } {
  const encoding = (spec.encoding ?? {}) as Readonly<Record<string, Channel>>;
  const { color } = encoding;
  const name = color && seriesName(color);
  if (spec.mark === undefined || name === undefined) return { spec, rows };
  const sizes = sizesOf(rows, name, quantity(encoding));
  if (sizes.size <= mostSeries) return { spec, rows };
  const largest = [...sizes].toSorted(([, one], [, other]) => other - one).slice(0, mostSeries - 1);
  const kept = new Set(largest.map(([series]) => series));
  const other = `Other (${sizes.size - kept.size} series)`;
  const values = rows.map((row) => ({ ...row, [folded]: kept.has(labelOf(row[name])) ? labelOf(row[name]) : other }));
  const title = color?.['title'] ?? name;
  const domain = [...[...sizes.keys()].filter((series) => kept.has(series)), other];
  const own = {
    color: { ...color, field: folded, type: 'nominal', title, scale: { domain } },
    detail: [...[encoding['detail'] ?? []].flat(), { field: color?.['field'], type: 'nominal' }],
  };
  return { spec: { ...spec, data: { values }, encoding: { ...encoding, ...own } }, rows: values };
}

/** Returns the column whose values have a colour each, unless the chart defines the colours. */
function seriesName(color: Channel): string | undefined {
  const { field, type, legend, scale, sort, bin, timeUnit, aggregate } = color;
  const isPlain = [scale, sort, bin, timeUnit, aggregate].every((each) => each === undefined || each === false);
  if (typeof field !== 'string' || type === 'quantitative' || type === 'temporal' || legend === null || !isPlain)
    return undefined;
  return nameOf(field);
}

/** Returns the column that determines the height or length of the marks. */
function quantity({ x, y }: Readonly<Record<string, Channel | undefined>>): string | undefined {
  const found = [y, x].find((channel) => channel?.['type'] === 'quantitative' && typeof channel['field'] === 'string');
  return found && nameOf(String(found['field']));
}

/** Returns the total quantity of each series, in the order of the rows; without a quantity the number of rows. */
function sizesOf(rows: ChartRows, name: string, of: string | undefined): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const row of rows) {
    const amount = of === undefined ? 1 : Math.abs(Number(row[of]));
    const series = labelOf(row[name]);
    sizes.set(series, (sizes.get(series) ?? 0) + (Number.isFinite(amount) ? amount : 0));
  }
  return sizes;
}

function labelOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
}

/** Returns the column name in a Vega field reference. */
function nameOf(field: string): string {
  return field.replaceAll('\\', '').replaceAll(/\[["']?|["']?\]/g, '');
}
