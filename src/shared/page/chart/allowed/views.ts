import { any, dictionary, flag, list, none, num, object, oneOf } from '../rules.ts';
import { type ChartContext, type R, STROKES, TEXTS, amount, format, label, named, paint, word } from './values.ts';
import { MARKS, markKeys } from './marks.ts';
import { axisStyle, headerStyle, legendStyle } from './guides.ts';
import { definition } from './channels.ts';

const CHANNELS =
  'x y x2 y2 xOffset yOffset xError yError xError2 yError2 theta theta2 radius radius2 longitude latitude longitude2 latitude2 ' +
  'color fill stroke opacity fillOpacity strokeOpacity strokeWidth strokeDash size angle shape text description ' +
  'detail tooltip order row column facet time';
const channel: R = any(none, definition, list(definition, 20));
export const encoding: R = object(() => named(channel, CHANNELS));
/** The field that splits a view into small ones. */
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

export const MANY = 500;
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
const axisConfig = object<ChartContext>(() => axisStyle);
/** The configuration of colours and sizes for the whole chart. */
export const config: R = object(
  () => ({
    ...named(markConfig, `${MARKS} mark`),
    ...named(
      axisConfig,
      'axis axisX axisY axisBand axisTop axisBottom axisLeft axisRight axisQuantitative axisTemporal',
    ),
    ...named(axisConfig, 'axisDiscrete axisPoint axisXQuantitative axisYQuantitative axisXDiscrete axisYDiscrete'),
    ...named(
      object(() => headerStyle),
      'header headerRow headerColumn headerFacet',
    ),
    legend: object(() => legendStyle),
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
