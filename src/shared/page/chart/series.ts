import { DataExtent, type ChartRows } from './extent.ts';

/** Twenty colours that are told apart on dark and on light ground; Vega repeats its own after ten. */
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
/** Colours that Vega has before it begins again. */
const fewColours = 10;
/** A picture of fewer pixels has its legend below the plot. */
const narrow = 440;
/** How wide an entry of a legend is, and how high, in pixels. */
const entryWidth = 130;
const entryHeight = 18;

type Channel = Readonly<Record<string, unknown>>;

/** How a chart shows its series: its colours and dashes, where the legend is, and how many pixels that takes. */
export interface SeriesStyle {
  readonly config: Readonly<Record<string, unknown>>;
  /** Channels to add to the chart's own. */
  readonly encoding: Readonly<Record<string, unknown>>;
  readonly legendHeight: number;
}

const plain: SeriesStyle = { config: {}, encoding: {}, legendHeight: 0 };

/**
 * More series than Vega has colours get twenty, and lines of still more are dashed as well; in a narrow picture the legend is below
 * the plot, which would have no room beside it.
 */
export function seriesStyle(
  spec: { readonly mark?: unknown; readonly encoding?: Readonly<Record<string, Channel>> },
  rows: ChartRows,
  width: number,
): SeriesStyle {
  const field = seriesField(spec.encoding?.['color']);
  if (field === undefined) return plain;
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
    encoding: isDashed ? { strokeDash: { field, type: 'nominal' } } : {},
    legendHeight: isNarrow ? Math.ceil(series / columns) * entryHeight : 0,
  };
}

/** The field whose values have a colour each; nothing where the colour is a range or has no legend. */
function seriesField(color: Channel | undefined): string | undefined {
  const field = color?.['field'];
  return typeof field === 'string' && color?.['type'] !== 'quantitative' && color?.['legend'] !== null
    ? field
    : undefined;
}

function isLine(mark: unknown): boolean {
  return mark === 'line' || (mark as Channel | undefined)?.['type'] === 'line';
}
