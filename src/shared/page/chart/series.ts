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
/** The least width of a legend entry, its height, and the width of its symbol and of a letter, in pixels. */
const entryWidth = 130;
const entryHeight = 18;
const symbolWidth = 30;
const letter = 5.5;
/** The height of a legend that shows a range of numbers, in pixels. */
const scaleHeight = 50;

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
  const isNarrow = width < narrow;
  if (field === undefined) return isNarrow && hasScale(spec.encoding) ? scaleBelow(width) : plain;
  const series = new DataExtent(rows).groups([field]);
  const isDashed = isLine(spec.mark) && series > manyColours.length && spec.encoding?.['strokeDash'] === undefined;
  const { legend, color: placed, height } = isNarrow ? namesBelow(color, { rows, field, width, series }) : beside;
  return {
    config: { ...legend, ...(series > fewColours ? { range: { category: manyColours } } : {}) },
    encoding: { ...(isDashed ? { strokeDash: { field, type: 'nominal' } } : {}), ...placed },
    legendHeight: height,
  };
}

interface PlacedNames {
  readonly legend: SeriesStyle['config'];
  /** The channel, if the chart has a legend of its own: that goes before the configuration. */
  readonly color: SeriesStyle['encoding'];
  readonly height: number;
}

const beside: PlacedNames = { legend: {}, color: {}, height: 0 };

/** Places the names of the series below the plot, in as many columns as have room for the longest one. */
function namesBelow(
  color: Channel | undefined,
  { rows, field, width, series }: { rows: ChartRows; field: string; width: number; series: number },
): PlacedNames {
  const entry = Math.min(width, Math.max(entryWidth, longestName(rows, field) * letter + symbolWidth));
  const columns = Math.max(1, Math.floor(width / entry));
  const legend = { orient: 'bottom', columns, labelLimit: entry - symbolWidth, symbolLimit: 0 };
  const own = color?.['legend'] as object | undefined;
  return {
    legend: { legend },
    color: own === undefined ? {} : { color: { ...color, legend: { ...own, orient: 'bottom', columns } } },
    height: Math.ceil(series / columns) * entryHeight,
  };
}

/** Whether a legend explains a range of numbers, for which a narrow picture has no room beside the plot. */
function hasScale(encoding: Readonly<Record<string, Channel>> = {}): boolean {
  return ['color', 'fill', 'stroke', 'opacity', 'size'].some((name) => {
    const channel = encoding[name];
    return channel?.['type'] === 'quantitative' && channel['legend'] === undefined;
  });
}

/** Places a range of numbers below the plot, as long as the picture has room for. */
function scaleBelow(width: number): SeriesStyle {
  const legend = { orient: 'bottom', direction: 'horizontal', gradientLength: Math.max(60, width - 80) };
  return { config: { legend }, encoding: {}, legendHeight: scaleHeight };
}

/** Returns the number of letters of the longest name of a series. */
function longestName(rows: ChartRows, field: string): number {
  return rows.reduce((longest, row) => {
    const name = row[field];
    return typeof name === 'string' ? Math.max(longest, name.length) : longest;
  }, 0);
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
