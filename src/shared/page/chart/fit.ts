import { DataExtent } from './extent.ts';
import type { DrawRequest } from './messages.ts';
import { isRecord, type Json } from './rules.ts';
import type { SeriesStyle } from './series.ts';

/** Narrower views show nothing. */
const narrowest = 40;
/** How many times a chart is drawn at most, each time with narrower views. */
const mostPasses = 5;
/** The average width of a letter in a title, in pixels. */
const letter = 7.5;

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
  const titled = { ...spec, ...titleIn(spec, request.width) };
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

function single(spec: object, { width, height = 240 }: DrawRequest, { legendHeight, encoding }: SeriesStyle): object {
  const added = { encoding: { ...encodingOf(spec), ...encoding } };
  return { ...spec, ...added, width, height: height + legendHeight, autosize: { type: 'fit', contains: 'padding' } };
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

/** Wraps the title into lines that fit, because a truncated title could change its meaning. */
function titleIn(spec: object, width: number): { readonly title?: Json } {
  const { title } = spec as { readonly title?: Json };
  if (typeof title === 'string') return { title: linesOf(title, width) };
  if (!isRecord(title)) return {};
  const entries = Object.entries(title).map(([key, value]) =>
    (key === 'text' || key === 'subtitle') && typeof value === 'string' ? [key, linesOf(value, width)] : [key, value],
  );
  return { title: Object.fromEntries(entries) as Json };
}

function linesOf(text: string, width: number): readonly string[] {
  const most = Math.max(12, Math.floor(width / letter));
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
