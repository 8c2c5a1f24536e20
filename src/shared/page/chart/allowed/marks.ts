import { any, flag, isRecord, none, num, object, oneOf } from '../rules.ts';
import {
  type ChartContext,
  type K,
  type R,
  STROKES,
  TEXTS,
  amount,
  label,
  named,
  shape,
  size,
  word,
  words,
} from './values.ts';

/** Without shapes of maps: rows of a query have no outlines of regions, so the picture would be empty. */
export const MARKS = 'arc area bar boxplot circle errorband errorbar line point rect rule square text tick trail';
export const markKeys: K = {
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
/** A mark without a known type is left out as a whole: nothing could be drawn of it. */
export const mark: R = any(oneOf(MARKS), (given, context) => {
  const known = partOfMark(given, context);
  return isRecord(known) && known['type'] !== undefined ? known : undefined;
});
