import type { ChartRows } from './extent.ts';
import { isRecord, type Json } from './rules.ts';

type Record_ = { readonly [key: string]: Json };

/** The channels whose numbers are written beside the plot, by the guide that writes them. */
const guides: Readonly<Record<string, string>> = {
  x: 'axis',
  y: 'axis',
  ...Object.fromEntries(['color', 'fill', 'stroke', 'opacity', 'size'].map((channel) => [channel, 'legend'])),
};
const inner = ['layer', 'hconcat', 'vconcat', 'concat', 'spec'];
/** What determines the texts of a guide: a chart that has one of these keeps its own texts. */
const own = ['format', 'formatType', 'labelExpr', 'values'];

/**
 * The label of a number, as an expression of Vega: numbers from a million on are written with M, B or T, and those that would have
 * a dozen zeros as powers of ten. All digits that distinguish two labels remain.
 */
const shortNumber =
  "datum.value == 0 ? '0' : abs(datum.value) >= 1e15 || abs(datum.value) < 1e-4" +
  " ? format(datum.value, '.12~e')" +
  " : abs(datum.value) >= 1e6 ? replace(format(datum.value, '.12~s'), 'G', 'B') : datum.label";

/**
 * Writes the numbers of axes and legends so that they fit beside the plot: a label that ends with an ellipsis would name another
 * number. Gives an axis whose only number is zero a length, because Vega would show neither marks nor a zero.
 */
export function withNumberLabels<S extends object>(spec: S, rows: ChartRows): S {
  const view = viewOf(spec as Record_) as S & Record_;
  return 'mark' in spec && !('transform' in spec) ? { ...view, ...zeroAxes(view, rows) } : view;
}

function viewOf(view: Record_): Record_ {
  const { encoding } = view;
  const views = Object.entries(view).flatMap(([key, value]): [string, Json][] => {
    if (!inner.includes(key)) return [];
    return [[key, Array.isArray(value) ? value.map((each: Json) => innerView(each)) : innerView(value)]];
  });
  return { ...view, ...Object.fromEntries(views), ...(isRecord(encoding) ? { encoding: labelled(encoding) } : {}) };
}

const innerView = (view: Json): Json => (isRecord(view) ? viewOf(view) : view);

function labelled(encoding: Record_): Record_ {
  return Object.fromEntries(
    Object.entries(encoding).map(([channel, definition]) => {
      const name = guides[channel];
      if (name === undefined || !isRecord(definition) || !isNumber(definition)) return [channel, definition];
      const guide = definition[name] ?? {};
      if (definition[name] === null || !isRecord(guide) || own.some((key) => key in guide))
        return [channel, definition];
      return [channel, { ...definition, [name]: { ...guide, labelExpr: shortNumber } }];
    }),
  );
}

/** Whether a channel shows numbers as they are; those of a bin are ranges, and shares of a whole are percentages. */
function isNumber({ type, bin, stack }: Record_): boolean {
  return type === 'quantitative' && (bin === undefined || bin === false || bin === null) && stack !== 'normalize';
}

function zeroAxes({ encoding }: Record_, rows: ChartRows): { readonly encoding?: Json } {
  if (!isRecord(encoding)) return {};
  const axes = ['x', 'y'].flatMap((channel): [string, Json][] => {
    const definition = encoding[channel];
    if (!isRecord(definition) || !isNumber(definition) || !isZero(definition['field'], rows)) return [];
    const scale = definition['scale'] ?? {};
    if (!isRecord(scale) || Object.keys(scale).length > 0) return [];
    return [[channel, { ...definition, scale: { domainMax: 1 }, axis: axisOfZero(definition['axis']) }]];
  });
  return axes.length === 0 ? {} : { encoding: { ...encoding, ...Object.fromEntries(axes) } };
}

/** Returns the axis with zero as its only label: no row has another number. */
function axisOfZero(axis: Json | undefined): Json {
  if (axis === null) return null;
  return { ...(isRecord(axis) ? axis : {}), values: [0] };
}

/** Whether all numbers of a column are zero. */
function isZero(field: Json | undefined, rows: ChartRows): boolean {
  if (typeof field !== 'string') return false;
  const values = rows.flatMap((row) => (row[field] === null || row[field] === undefined ? [] : [row[field]]));
  return values.length > 0 && values.every((value) => value === 0 || value === '0');
}
