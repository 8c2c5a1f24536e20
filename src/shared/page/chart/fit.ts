import { DataExtent } from './extent.ts';
import type { DrawRequest } from './messages.ts';
import { isRecord } from './rules.ts';
import type { SeriesStyle } from './series.ts';
import { titleHeight, type TitleRoom, withTitlesInLines } from './titles.ts';

/** Narrower views show nothing. */
const narrowest = 40;
/** How many times a chart is drawn at most, each time with narrower views. */
const mostPasses = 5;
/** The height of a single view in pixels, unless the page has more room. */
const usualHeight = 240;
/** The height of a horizontal bar with its label, and of the highest chart between texts, in pixels. */
const barHeight = 14;
/** The least width of a small view with its axis, in pixels, and the most of them beside each other. */
const leastView = 130;
const mostColumns = 4;
const highest = 720;

/**
 * Draws a chart in the available width. A single view takes all of it. The space that several views need beside their plots is
 * only known once they are drawn, so they are drawn again with narrower plots until the picture fits.
 */
export async function drawnToFit(
  spec: object,
  request: DrawRequest,
  look: SeriesStyle,
  draw: (spec: object) => Promise<string>,
): Promise<string> {
  const titled = withColumns(withTitlesInLines(spec, request.width, titleRoom(spec, request)), request.width);
  if (isSingle(titled)) return draw(single(titled, request, look));
  let inner = firstWidth(titled, request);
  let svg = await draw(withWidths(titled, inner, look));
  // How much the picture grows for each pixel of its views: estimated from the first picture, then measured from two.
  let growth = widthOf(svg) / inner;
  for (let pass = 1; pass < mostPasses; pass += 1) {
    const width = widthOf(svg);
    if (width <= request.width || inner <= narrowest) break;
    const next = Math.max(narrowest, Math.floor(inner - (width - request.width) / growth));
    svg = await draw(withWidths(titled, next, look));
    growth = Math.max(0.5, (width - widthOf(svg)) / (inner - next));
    inner = next;
  }
  return svg;
}

type Encoding = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const encodingOf = (spec: object): Encoding => (spec as { readonly encoding?: Encoding }).encoding ?? {};
const isUnit = (spec: object): boolean => 'mark' in spec || 'layer' in spec;
const isSplit = (spec: object): boolean => ['row', 'column', 'facet'].some((channel) => channel in encodingOf(spec));
const isSingle = (spec: object): boolean => isUnit(spec) && !isSplit(spec);

/** Returns the space for the titles of axes: about the length of the axes, which are short where views stand beside each other. */
export function titleRoom(spec: object, { width, height = usualHeight }: DrawRequest): TitleRoom {
  return isSingle(spec)
    ? { across: Math.max(90, width - 70), upwards: Math.round(height * 0.55) }
    : { across: Math.max(90, Math.round(width / 2) - 50), upwards: 110 };
}

function single(spec: object, request: DrawRequest, { legendHeight, encoding }: SeriesStyle): object {
  const { width, height = heightFor(spec, request) + titleHeight(spec) } = request;
  const added = { encoding: { ...encodingOf(spec), ...encoding } };
  return { ...spec, ...added, width, height: height + legendHeight, autosize: { type: 'fit', contains: 'padding' } };
}

/** Returns the height of a chart between texts: many categories beside the plot need more than usual. */
function heightFor(spec: object, { rows }: DrawRequest): number {
  const y = encodingOf(spec)['y'];
  const isDiscrete = y?.['type'] !== 'quantitative' && y?.['type'] !== 'temporal' && y?.['bin'] === undefined;
  if (typeof y?.['field'] !== 'string' || !isDiscrete || y['timeUnit'] !== undefined) return usualHeight;
  const extent = new DataExtent(rows);
  if (!extent.knows(y['field'])) return usualHeight;
  return Math.max(usualHeight, Math.min(highest, extent.groups([y['field']]) * barHeight + 60));
}

/** Arranges small views in as many columns as fit, unless the chart says how many: Vega-Lite puts all of them into one row. */
function withColumns(spec: object, width: number): object {
  const columns = Math.max(1, Math.min(mostColumns, Math.floor(width / leastView)));
  const { facet } = encodingOf(spec);
  if (facet !== undefined && facet['columns'] === undefined)
    return { ...spec, encoding: { ...encodingOf(spec), facet: { ...facet, columns } } };
  const { facet: split, repeat, concat } = spec as Readonly<Record<string, unknown>>;
  const isWrapped = (isRecord(split) && 'field' in split) || Array.isArray(repeat) || Array.isArray(concat);
  return isWrapped && !('columns' in spec) ? { ...spec, columns } : spec;
}

/** Estimates the width of each view from the columns of a facet; without one it is the whole width. */
function firstWidth(spec: object, { width, rows }: DrawRequest): number {
  const split = encodingOf(spec)['column'] ?? encodingOf(spec)['facet'];
  if (typeof split?.['field'] !== 'string') return width;
  const columns = Math.max(1, Math.min(Number(split['columns'] ?? 4), new DataExtent(rows).groups([split['field']])));
  return Math.max(narrowest, Math.floor((width - 60) / columns) - 20);
}

/** Sets the width of every view, in pixels. */
function withWidths(spec: object, width: number, look: SeriesStyle): object {
  if (isUnit(spec)) {
    const encoding = { ...encodingOf(spec), ...look.encoding };
    return { ...spec, encoding, width, ...(isSplit(spec) ? { height: 120 } : {}) };
  }
  const plain = { ...look, encoding: {} };
  return Object.fromEntries(
    Object.entries(spec).map(([key, value]: [string, unknown]) => {
      if (key === 'spec' && isRecord(value)) return [key, withWidths(value, width, plain)];
      if (!['concat', 'hconcat', 'vconcat'].includes(key) || !Array.isArray(value)) return [key, value];
      return [key, value.map((view: object) => withWidths(view, width, plain))];
    }),
  );
}

/** Returns the width of a picture in pixels; 0 if it has none. */
function widthOf(svg: string): number {
  return Number(/viewBox="0 0 (\d+(?:\.\d+)?)/.exec(svg)?.[1] ?? 0);
}
