import { DataExtent, type ChartRows } from './extent.ts';

/** Twenty colours that are distinguishable on dark and light backgrounds; Vega repeats its own after ten. */
const manyColours = [
  '#4c78a8',
  '#f58518',
  '#54a24b',
  '#e45756',
  '#72b7b2',
  '#eeca3b',
  '#b279a2',
  '#ff9da6',
  '#9d755d',
  '#79706e',
  '#9ecae9',
  '#b5651d',
  '#88d27a',
  '#8c2d04',
  '#1b7f79',
  '#a6761d',
  '#6a3d9a',
  '#d6a5c9',
  '#d8b5a5',
  '#bab0ac',
] as const;
/** The number of Vega's colours before they repeat. */
const fewColours = 10;
/** Pictures below this width in pixels have the legend below the plot. */
const narrow = 440;
/** The width and height of a legend entry, in pixels. */
const entryWidth = 130;
const entryHeight = 18;

type Channel = Readonly<Record<string, unknown>>;

/** How a chart shows its series: colours, dashes and the position of the legend. */
export interface SeriesStyle {
  readonly config: Readonly<Record<string, unknown>>;
  /** Channels to add to the chart's own. */
  readonly encoding: Readonly<Record<string, unknown>>;
  readonly legendHeight: number;
}

const plain: SeriesStyle = { config: {}, encoding: {}, legendHeight: 0 };

/**
 * Chooses the style of a chart's series: more series than Vega has colours get twenty, and lines with even more series are dashed
 * as well. In a narrow picture the legend is below the plot, which would have no room beside it.
 */
export function seriesStyle(
  spec: { readonly mark?: unknown; readonly encoding?: Readonly<Record<string, Channel>> },
  rows: ChartRows,
  width: number,
): SeriesStyle {
  const color = spec.encoding?.['color'];
  const field = seriesField(color);
  if (field === undefined) return plain;
  // The chart's own legend goes before the configuration.
  const own = color?.['legend'] as object | undefined;
  const series = new DataExtent(rows).groups([field]);
  const columns = Math.max(1, Math.floor(width / entryWidth));
  const isNarrow = width < narrow;
  const legend = { orient: 'bottom', columns, labelLimit: entryWidth - 30, symbolLimit: 0 };
  const isDashed = isLine(spec.mark) && series > manyColours.length && spec.encoding?.['strokeDash'] === undefined;
  return {
    config: {
      ...(isNarrow ? { legend } : {}),
      ...(series > fewColours ? { range: { category: manyColours } } : {}),
    },
    encoding: {
      ...(isDashed ? { strokeDash: { field, type: 'nominal' } } : {}),
      ...(isNarrow && own !== undefined ? { color: { ...color, legend: { ...own, orient: 'bottom', columns } } } : {}),
    },
    legendHeight: isNarrow ? Math.ceil(series / columns) * entryHeight : 0,
  };
}

/** Returns the field whose values have a colour each; `undefined` if the colour is a range or has no legend. */
function seriesField(color: Channel | undefined): string | undefined {
  const field = color?.['field'];
  return typeof field === 'string' && color?.['type'] !== 'quantitative' && color?.['legend'] !== null
    ? field
    : undefined;
}

function isLine(mark: unknown): boolean {
  return mark === 'line' || (mark as Channel | undefined)?.['type'] === 'line';
}
