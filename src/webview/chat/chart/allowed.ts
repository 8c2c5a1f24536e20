import type { DataExtent } from './extent.ts';
import { isPlainExpression, isPlainFormat } from './expression.ts';
import {
  any,
  dictionary,
  flag,
  isRecord,
  type Json,
  type Keys,
  list,
  none,
  num,
  object,
  oneOf,
  type Rule,
  type RuleContext,
  text,
} from './rules.ts';

/** What the rules of a chart need of its data. */
export interface ChartContext extends RuleContext {
  readonly extent: DataExtent;
}

type R = Rule<ChartContext>;
type K = Keys<ChartContext>;

/** Pixels, angles, exponents: beyond, nothing can be seen. */
const amount = num<ChartContext>(-10_000, 10_000);
const size = num<ChartContext>(0, 100_000);
const words = text<ChartContext>();
const word = text<ChartContext>(80);
const label: R = any(words, none, list(words, 10));
const scalar: R = any(text(), num(-Number.MAX_VALUE, Number.MAX_VALUE), flag, none);
const UNITS = 'year month day date hours minutes seconds milliseconds quarter week dayofyear';

const expression: R = (value) => (typeof value === 'string' && isPlainExpression(value) ? value : undefined);
const format: R = (value) => (isPlainFormat(value) ? value : undefined);
const formatType = oneOf<ChartContext>('number time utc');

const dateTime = object<ChartContext>(() => ({
  ...named(num(-9999, 9999), `${UNITS} utc`),
  ...named(any(amount, word), 'month day'),
  utc: flag,
}));
const value: R = any(scalar, dateTime);
const values = list<ChartContext>(value, 200);

const timeUnit: R = any(
  (given) => (typeof given === 'string' && /^[a-z]{3,80}$/.test(given) ? given : undefined),
  object(() => ({ unit: timeUnit, step: num(1, 1_000), maxbins: num(1, 200), utc: flag })),
);
/** `nice` of a scale only rounds its ends; the number of ticks is never given by an interval. */
const interval = oneOf<ChartContext>('millisecond second minute hour day week month year');

const gradient = object<ChartContext>(() => ({
  gradient: oneOf('linear radial'),
  ...named(num(0, 1), 'x1 y1 x2 y2 r1 r2'),
  stops: list(
    object(() => ({ offset: num(0, 1), color: word })),
    20,
  ),
}));
const paint: R = any(word, none, gradient);
const dashes = list<ChartContext>(num(0.5, 100), 10);
/** A named shape, or the path of one. */
const shape: R = (given) =>
  typeof given === 'string' && /^(?:[a-z-]{1,30}|[MmLlHhVvCcSsQqTtAaZz\d\s.,+-]{1,500})$/.test(given)
    ? given
    : undefined;

function named(rule: R, keys: string): K {
  return Object.fromEntries(keys.split(' ').map((key) => [key, rule]));
}

/** What a property may depend on: a test of the row. What depends on a choice of the user shows what is chosen at first: all. */
function conditional(rule: R): R {
  const branch: R = (given, context) => {
    if (!isRecord(given)) return undefined;
    const test = predicate(given['test'] ?? null, context);
    const inner = rule(given['value'] ?? null, context);
    return test === undefined || inner === undefined ? undefined : { test, value: inner };
  };
  const branches: R = any(branch, list(branch, 20));
  const whole: R = (given, context) => {
    if (!isRecord(given) || !('condition' in given)) return undefined;
    const condition = branches(given['condition'] ?? null, context);
    const otherwise = rule(given['value'] ?? null, context);
    return condition === undefined ? otherwise : { condition, value: otherwise ?? null };
  };
  return any(rule, whole);
}

/** Filters and tests of conditions. */
export const predicate: R = any(expression, (given, context) =>
  isRecord(given) && (typeof given['field'] === 'string' || 'and' in given || 'or' in given || 'not' in given)
    ? predicateObject(given, context)
    : undefined,
);
const predicateObject = object<ChartContext>(() => ({
  field: word,
  timeUnit,
  ...named(value, 'equal lt lte gt gte'),
  range: list(value, 2),
  oneOf: list(value, 500),
  valid: flag,
  and: list(predicate, 20),
  or: list(predicate, 20),
  not: predicate,
}));

/** Looks of lines, areas and texts: the same names in marks, axes and configurations. */
const STROKES = {
  ...named(amount, 'opacity fillOpacity strokeOpacity strokeWidth strokeDashOffset strokeMiterLimit strokeOffset'),
  ...named(paint, 'color fill stroke'),
  ...named(word, 'strokeCap strokeJoin'),
  strokeDash: dashes,
};
const TEXTS = {
  ...named(amount, 'angle dx dy fontSize limit lineHeight'),
  ...named(word, 'align baseline font fontStyle ellipsis dir lineBreak'),
  fontWeight: any(word, amount),
};

const MARKS = 'arc area bar boxplot circle errorband errorbar geoshape line point rect rule square text tick trail';
const markKeys: K = {
  ...STROKES,
  ...TEXTS,
  ...named(
    amount,
    'cornerRadius cornerRadiusEnd cornerRadiusTopLeft cornerRadiusTopRight cornerRadiusBottomLeft cornerRadiusBottomRight',
  ),
  ...named(
    amount,
    'innerRadius outerRadius radius radius2 theta theta2 padAngle tension xOffset yOffset x2Offset y2Offset',
  ),
  ...named(amount, 'radiusOffset radius2Offset thetaOffset theta2Offset binSpacing bandSize thickness minBandSize'),
  ...named(amount, 'continuousBandSize discreteBandSize timeUnitBandPosition timeUnitBandSize bandPosition'),
  ...named(flag, 'filled clip aria ticks rule median box outliers borders band'),
  ...named(word, 'interpolate orient invalid description role style blend order'),
  ...named(
    any(
      num(0, 10_000),
      word,
      object(() => ({ band: num(0, 1) })),
    ),
    'width height x y x2 y2',
  ),
  type: oneOf(MARKS),
  extent: any(num(0, 10), oneOf('min-max iqr ci stderr stdev')),
  size,
  shape,
  text: label,
  tooltip: any(
    flag,
    none,
    words,
    object(() => ({ content: oneOf('encoding data') })),
  ),
  ...named(
    any(flag, word, (given, context) => partOfMark(given, context)),
    'point line rule median box outliers ticks',
  ),
  ...named(
    any(flag, (given, context) => partOfMark(given, context)),
    'whisker borders band endLabel',
  ),
};
const partOfMark: R = object<ChartContext>(() => markKeys);
export const mark: R = any(
  oneOf(MARKS),
  object(() => markKeys),
);

const axisLook: K = {
  ...named(
    flag,
    'domain grid labels ticks aria labelFlush labelBound titleBound tickBand tickRound tickExtra translate',
  ),
  ...named(any(flag, num(0, 100)), 'labelBound labelFlush'),
  ...named(any(flag, word), 'labelOverlap'),
  ...named(
    amount,
    'offset position zindex maxExtent minExtent bandPosition labelAngle labelFlushOffset labelFontSize labelLimit labelLineHeight',
  ),
  ...named(
    amount,
    'labelOffset labelOpacity labelPadding labelSeparation tickMinStep tickOffset tickOpacity tickSize tickWidth',
  ),
  ...named(amount, 'titleAngle titleFontSize titleLimit titleLineHeight titleOpacity titlePadding titleX titleY'),
  ...named(amount, 'domainOpacity domainWidth gridOpacity gridWidth domainDashOffset gridDashOffset tickDashOffset'),
  ...named(
    word,
    'orient labelAlign labelBaseline labelFont labelFontStyle tickCap titleAlign titleAnchor titleBaseline titleFont',
  ),
  ...named(word, 'titleFontStyle domainCap gridCap description style tickBand'),
  ...named(any(word, amount), 'labelFontWeight titleFontWeight'),
  ...named(conditional(paint), 'labelColor titleColor gridColor domainColor tickColor'),
  ...named(
    conditional(amount),
    'labelOpacity gridOpacity gridWidth tickWidth tickOpacity labelFontSize labelPadding tickSize',
  ),
  ...named(conditional(any(word, amount)), 'labelFontWeight labelAlign labelBaseline labelFont labelFontStyle'),
  ...named(conditional(dashes), 'gridDash domainDash tickDash'),
};
/** Counts are wishes for the whole axis: an interval of time over centuries would be millions of ticks, so it is no wish. */
const ticks = { tickCount: num<ChartContext>(0, 200), values };
const axis: R = any(
  none,
  object(() => ({ ...axisLook, ...ticks, title: label, format, formatType, labelExpr: expression })),
);
const legendLook: K = {
  ...named(
    amount,
    'clipHeight columnPadding columns cornerRadius gradientLength gradientOpacity gradientStrokeWidth gradientThickness',
  ),
  ...named(
    amount,
    'labelFontSize labelLimit labelOffset labelOpacity labelPadding legendX legendY offset padding rowPadding',
  ),
  ...named(
    amount,
    'strokeWidth symbolOffset symbolOpacity symbolSize symbolStrokeWidth titleFontSize titleLimit titleLineHeight',
  ),
  ...named(amount, 'titleOpacity titlePadding zindex tickMinStep opacity symbolDashOffset'),
  ...named(
    word,
    'direction gridAlign labelAlign labelBaseline labelFont labelFontStyle orient titleAlign titleAnchor titleBaseline',
  ),
  ...named(word, 'titleFont titleFontStyle titleOrient type description style'),
  ...named(any(word, amount), 'labelFontWeight titleFontWeight'),
  ...named(any(flag, word), 'labelOverlap aria disable'),
  ...named(paint, 'fillColor gradientStrokeColor labelColor strokeColor symbolFillColor symbolStrokeColor titleColor'),
  ...named(dashes, 'symbolDash strokeDash'),
  symbolType: shape,
  symbolLimit: num(1, 100),
};
const legend: R = any(
  none,
  object(() => ({ ...legendLook, ...ticks, title: label, format, formatType, labelExpr: expression })),
);
const headerLook: K = {
  ...named(
    amount,
    'labelAngle labelFontSize labelLimit labelLineHeight labelPadding titleAngle titleFontSize titleLimit',
  ),
  ...named(amount, 'titleLineHeight titlePadding'),
  ...named(
    word,
    'labelAlign labelAnchor labelBaseline labelFont labelFontStyle labelOrient orient titleAlign titleAnchor',
  ),
  ...named(word, 'titleBaseline titleFont titleFontStyle titleOrient'),
  ...named(any(word, amount), 'labelFontWeight titleFontWeight'),
  ...named(paint, 'labelColor titleColor'),
  labels: flag,
};
const header: R = any(
  none,
  object(() => ({ ...headerLook, title: label, format, formatType, labelExpr: expression })),
);

const domain: R = any(
  list(value, 500),
  oneOf('unaggregated'),
  object(() => ({ unionWith: list(value, 500) })),
);
const scale: R = any(
  none,
  object(() => ({
    type: oneOf(
      'linear log pow sqrt symlog time utc ordinal band point bin-ordinal quantile quantize threshold sequential identity',
    ),
    domain,
    ...named(value, 'domainMin domainMax domainMid rangeMin rangeMax'),
    range: any(
      word,
      list(any(scalar, list(scalar, 20)), 200),
      object(() => ({ field: word })),
    ),
    scheme: any(
      word,
      list(word, 100),
      object(() => ({ name: word, extent: list(num(-2, 2), 2), count: num(1, 100) })),
    ),
    ...named(flag, 'zero reverse clamp round'),
    nice: any(
      flag,
      num(1, 200),
      interval,
      object(() => ({ interval, step: num(1, 100) })),
    ),
    ...named(num(0, 10), 'align bandPosition'),
    ...named(num(-100, 100), 'padding paddingInner paddingOuter exponent constant'),
    base: (given, context) => wholeBase(given, context),
    bins: list(value, 200),
    interpolate: any(
      word,
      object(() => ({ type: word, gamma: num(0, 10) })),
    ),
  })),
);
const wholeBase: R = (given) =>
  typeof given === 'number' && given >= 2 ? Math.min(100, Math.round(given)) : undefined;

const sort: R = any(
  none,
  word,
  list(value, 200),
  object(() => ({ field: any(word, repeated), op: aggregate, order: any(word, none), encoding: word })),
);
const AGGREGATES =
  'count valid missing distinct sum product mean average variance variancep stdev stdevp stderr median q1 q3 ci0 ci1 min max values';
const arg = object<ChartContext>(() => ({ argmax: word, argmin: word }));
export const aggregate: R = any(oneOf(AGGREGATES), arg);
const repeatedBy = object<ChartContext>(() => ({ repeat: oneOf('row column layer repeat') }));
const repeated: R = (given, context) => (isRecord(given) && 'repeat' in given ? repeatedBy(given, context) : undefined);
const field: R = any(word, repeated);

const binKeys = object<ChartContext>(() => ({
  maxbins: num(1, 200),
  step: num(0, Number.MAX_VALUE),
  minstep: num(0, Number.MAX_VALUE),
  base: wholeBase,
  extent: list(num(-Number.MAX_VALUE, Number.MAX_VALUE), 2),
  anchor: num(-Number.MAX_VALUE, Number.MAX_VALUE),
  ...named(flag, 'nice binned'),
}));
const MOST_BINS = 200;

/** Bins of a field; a step that would make thousands of them is raised to one that does not. */
export function binOf(given: Json, of: Json | undefined, context: ChartContext): Json | undefined {
  if (typeof given === 'boolean' || given === null || given === 'binned') return given;
  const bin = binKeys(given, context);
  if (!isRecord(bin)) return undefined;
  const { step, ...others } = bin;
  if (typeof step !== 'number') return others;
  const [from, to] = Array.isArray(bin['extent']) ? (bin['extent'] as readonly number[]) : [];
  const span = typeof of === 'string' ? context.extent.span(of) : undefined;
  if (span === undefined || step <= 0) {
    context.leaveOut('step');
    return others;
  }
  const whole = Math.max(span, from !== undefined && to !== undefined ? Math.abs(to - from) : 0);
  return { ...others, step: Math.max(step, whole / MOST_BINS > step ? roundStep(whole / MOST_BINS) : step) };
}

/** The next number of 1, 2, 5, 10 and so on. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5, 10].find((times) => times * power >= least) ?? 10) * power;
}

const impute = object<ChartContext>(() => ({
  value: scalar,
  method: oneOf('value mean median max min'),
  frame: list(any(none, amount), 2),
}));

const channelKeys: K = {
  field,
  type: oneOf('quantitative temporal ordinal nominal geojson'),
  aggregate,
  timeUnit,
  ...named(label, 'title'),
  axis,
  scale,
  legend,
  header,
  sort,
  stack: any(none, flag, oneOf('zero center normalize')),
  impute: any(none, impute),
  format,
  formatType,
  value: any(value, gradient, dashes),
  datum: any(repeated, value),
  ...named(amount, 'bandPosition band spacing columns'),
  ...named(word, 'align description'),
  center: flag,
};
const definition: R = (given, context) => {
  if (!isRecord(given)) return undefined;
  const { condition, bin, ...plain } = given;
  const known = object<ChartContext>(() => channelKeys)(plain, context);
  const binned = bin === undefined ? undefined : binOf(bin, plain['field'], context);
  const chosen = condition === undefined ? undefined : branches(condition, context);
  return {
    ...(isRecord(known) ? known : {}),
    ...(binned === undefined ? {} : { bin: binned }),
    ...(chosen === undefined ? {} : chosen),
  };
};

/** Conditions of a channel. One on a choice of the user is as if all were chosen, which is how a chart begins. */
function branches(given: Json, context: ChartContext): { readonly [key: string]: Json } {
  const all = Array.isArray(given) ? (given as readonly Json[]).slice(0, 20) : [given];
  const [first] = all;
  if (isRecord(first) && ('param' in first || 'selection' in first)) {
    const { param: _, selection: __, empty: ___, ...chosen } = first;
    const shown = definition(chosen, context);
    return isRecord(shown) ? shown : {};
  }
  const tested = all.flatMap((branch) => {
    if (!isRecord(branch)) return [];
    const { test, ...rest } = branch;
    const known = test === undefined ? undefined : predicate(test, context);
    const shown = definition(rest, context);
    if (known === undefined || !isRecord(shown)) {
      context.leaveOut('condition');
      return [];
    }
    return [{ test: known, ...shown }];
  });
  if (tested.length === 0) return {};
  return { condition: Array.isArray(given) ? tested : (tested[0] ?? {}) };
}

const CHANNELS =
  'x y x2 y2 xOffset yOffset xError yError xError2 yError2 theta theta2 radius radius2 longitude latitude longitude2 latitude2 ' +
  'color fill stroke opacity fillOpacity strokeOpacity strokeWidth strokeDash size angle shape text description ' +
  'detail tooltip order row column facet time';
const channel: R = any(none, definition, list(definition, 20));
export const encoding: R = object(() => named(channel, CHANNELS));
/** What splits a view into small ones. */
export const facetField: R = definition;

export const title: R = any(
  label,
  object(() => ({
    ...TEXTS,
    ...named(amount, 'offset zindex subtitleFontSize subtitleLineHeight subtitlePadding'),
    ...named(word, 'anchor frame orient style subtitleFont subtitleFontStyle'),
    ...named(any(word, amount), 'subtitleFontWeight'),
    ...named(paint, 'color subtitleColor'),
    text: label,
    subtitle: label,
  })),
);

const MANY = 500;
const channelsShared = dictionary<ChartContext>(oneOf('shared independent'), 30);
export const resolve: R = object(() => named(channelsShared, 'axis legend scale'));
export const view: R = object(() => ({ ...STROKES, cornerRadius: amount, style: word }));
export const projection: R = object(() => ({
  type: word,
  ...named(amount, 'scale clipAngle'),
  precision: num(0.1, 10),
  ...named(list(amount, 3), 'translate center rotate parallels'),
  ...named(flag, 'reflectX reflectY'),
}));

const markConfig = object<ChartContext>(() => markKeys);
const axisConfig = object<ChartContext>(() => axisLook);
/** Colours and sizes for the whole chart. */
export const config: R = object(
  () => ({
    ...named(markConfig, `${MARKS} mark`),
    ...named(
      axisConfig,
      'axis axisX axisY axisBand axisTop axisBottom axisLeft axisRight axisQuantitative axisTemporal',
    ),
    ...named(axisConfig, 'axisDiscrete axisPoint axisXQuantitative axisYQuantitative axisXDiscrete axisYDiscrete'),
    ...named(
      object(() => headerLook),
      'header headerRow headerColumn headerFacet',
    ),
    legend: object(() => legendLook),
    title: object(() => ({ ...TEXTS, anchor: word, orient: word, offset: amount, color: paint, subtitleColor: paint })),
    view: object(() => ({
      ...STROKES,
      cornerRadius: amount,
      ...named(num(20, 1_000), 'continuousWidth continuousHeight discreteWidth discreteHeight'),
    })),
    range: dictionary(
      any(
        word,
        list(word, 100),
        object(() => ({ scheme: word })),
      ),
      10,
    ),
    scale: object(() => ({
      ...named(num(0, 10), 'bandPaddingInner bandPaddingOuter barBandPaddingInner pointPadding rectBandPaddingInner'),
      ...named(amount, 'maxBandSize minBandSize maxFontSize minFontSize maxOpacity minOpacity maxSize minSize'),
    })),
    ...named(
      object(() => ({ spacing: amount, columns: num(1, 100) })),
      'facet concat',
    ),
    ...named(word, 'countTitle fieldTitle font numberFormatType'),
    numberFormat: format,
    timeFormat: format,
  }),
  new Set(['background', 'padding', 'autosize', 'customFormatTypes', 'style']),
);

const sortFields = list<ChartContext>(
  object(() => ({ field: word, order: any(word, none) })),
  20,
);
export const fields = list<ChartContext>(word, 100);

/** Each kind of transform by the key that names it, with its keys. Those that make rows are bounded where the list is read. */
export const transforms: Readonly<Record<string, K>> = {
  filter: { filter: predicate },
  calculate: { calculate: expression, as: word },
  timeUnit: { timeUnit, field: word, as: word },
  joinaggregate: {
    joinaggregate: list(
      object(() => ({ op: aggregate, field: word, as: word })),
      MANY,
    ),
    groupby: fields,
  },
  aggregate: {
    aggregate: list(
      object(() => ({ op: aggregate, field: word, as: word })),
      MANY,
    ),
    groupby: fields,
  },
  window: {
    window: list(
      object(() => ({ op: word, field: word, as: word, param: num(0, 1_000) })),
      50,
    ),
    frame: list(any(none, amount), 2),
    ignorePeers: flag,
    groupby: fields,
    sort: sortFields,
  },
  stack: {
    stack: word,
    offset: oneOf('zero center normalize'),
    groupby: fields,
    sort: sortFields,
    as: any(word, fields),
  },
  fold: { fold: list(word, 50), as: list(word, 2) },
  flatten: { flatten: list(word, 20), as: fields },
  pivot: { pivot: word, value: word, groupby: fields, op: aggregate, limit: num(1, 100) },
  sample: { sample: num(1, 10_000) },
  bin: { bin: (given) => given, field: word, as: any(word, fields) },
  density: {
    density: word,
    groupby: fields,
    ...named(num(0, Number.MAX_VALUE), 'bandwidth'),
    ...named(num(2, 500), 'steps minsteps maxsteps'),
    ...named(flag, 'cumulative counts'),
    extent: list(num(-Number.MAX_VALUE, Number.MAX_VALUE), 2),
    as: fields,
  },
  quantile: { quantile: word, groupby: fields, probs: list(num(0, 1), 100), step: num(0.01, 1), as: fields },
  regression: {
    regression: word,
    on: word,
    groupby: fields,
    method: oneOf('linear log exp pow quad poly'),
    order: num(1, 10),
    params: flag,
    as: fields,
  },
  loess: { loess: word, on: word, groupby: fields, bandwidth: num(0.05, 1), as: fields },
  impute: {
    impute: word,
    key: word,
    value: scalar,
    method: oneOf('value mean median max min'),
    frame: list(any(none, amount), 2),
    groupby: fields,
    keyvals: list(scalar, 500),
  },
};
