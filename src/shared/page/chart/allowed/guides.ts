import { any, flag, list, none, num, object, oneOf } from '../rules.ts';
import {
  type ChartContext,
  type K,
  type R,
  amount,
  conditional,
  dashes,
  expression,
  format,
  formatType,
  interval,
  label,
  named,
  paint,
  scalar,
  shape,
  value,
  values,
  word,
} from './values.ts';

export const axisStyle: K = {
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
/** A count is a hint for the whole axis. Intervals of time are not allowed: over centuries, they could mean millions of ticks. */
const ticks = { tickCount: num<ChartContext>(0, 200), values };
export const axis: R = any(
  none,
  object(() => ({ ...axisStyle, ...ticks, title: label, format, formatType, labelExpr: expression })),
);
export const legendStyle: K = {
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
export const legend: R = any(
  none,
  object(() => ({ ...legendStyle, ...ticks, title: label, format, formatType, labelExpr: expression })),
);
export const headerStyle: K = {
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
export const header: R = any(
  none,
  object(() => ({ ...headerStyle, title: label, format, formatType, labelExpr: expression })),
);

const domain: R = any(
  list(value, 500),
  oneOf('unaggregated'),
  object(() => ({ unionWith: list(value, 500) })),
);
export const scale: R = any(
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
export const wholeBase: R = (given) =>
  typeof given === 'number' && given >= 2 ? Math.min(100, Math.round(given)) : undefined;
