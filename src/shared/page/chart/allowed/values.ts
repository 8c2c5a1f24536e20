import type { DataExtent } from '../extent.ts';
import { isPlainExpression, isPlainFormat } from '../expression.ts';
import {
  any,
  flag,
  isRecord,
  type Keys,
  list,
  none,
  num,
  object,
  oneOf,
  type Rule,
  type RuleContext,
  text,
} from '../rules.ts';

/** The data that the rules of a chart depend on. */
export interface ChartContext extends RuleContext {
  readonly extent: DataExtent;
}

export type R = Rule<ChartContext>;
export type K = Keys<ChartContext>;

/** Pixels, angles, exponents: nothing is visible beyond these bounds. */
export const amount = num<ChartContext>(-10_000, 10_000);
export const size = num<ChartContext>(0, 100_000);
export const words = text<ChartContext>();
export const word = text<ChartContext>(80);
export const label: R = any(words, none, list(words, 10));
export const scalar: R = any(text(), num(-Number.MAX_VALUE, Number.MAX_VALUE), flag, none);
const UNITS = 'year month day date hours minutes seconds milliseconds quarter week dayofyear';

export const expression: R = (value) => (typeof value === 'string' && isPlainExpression(value) ? value : undefined);
export const format: R = (value) => (isPlainFormat(value) ? value : undefined);
export const formatType = oneOf<ChartContext>('number time utc');

const dateTime = object<ChartContext>(() => ({
  ...named(num(-9999, 9999), `${UNITS} utc`),
  ...named(any(amount, word), 'month day'),
  utc: flag,
}));
export const value: R = any(scalar, dateTime);
export const values = list<ChartContext>(value, 200);

export const timeUnit: R = any(
  (given) => (typeof given === 'string' && /^[a-z]{3,80}$/.test(given) ? given : undefined),
  object(() => ({ unit: timeUnit, step: num(1, 1_000), maxbins: num(1, 200), utc: flag })),
);
/** `nice` of a scale only rounds its ends; an interval never determines the number of ticks. */
export const interval = oneOf<ChartContext>('millisecond second minute hour day week month year');

export const gradient = object<ChartContext>(() => ({
  gradient: oneOf('linear radial'),
  ...named(num(0, 1), 'x1 y1 x2 y2 r1 r2'),
  stops: list(
    object(() => ({ offset: num(0, 1), color: word })),
    20,
  ),
}));
export const paint: R = any(word, none, gradient);
export const dashes = list<ChartContext>(num(0.5, 100), 10);
/** A named shape, or an SVG path. */
export const shape: R = (given) =>
  typeof given === 'string' && /^(?:[a-z-]{1,30}|[MmLlHhVvCcSsQqTtAaZz\d\s.,+-]{1,500})$/.test(given)
    ? given
    : undefined;

/** Applies one rule to several keys, separated by spaces. */
export function named(rule: R, keys: string): K {
  return Object.fromEntries(keys.split(' ').map((key) => [key, rule]));
}

/** Allows a property to depend on a test of the row. For a condition on the user's selection, everything counts as selected. */
export function conditional(rule: R): R {
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

/** Filters, and the tests of conditions. */
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

/** Styles of lines, areas and texts, which have the same names in marks, axes and configurations. */
export const STROKES = {
  ...named(amount, 'opacity fillOpacity strokeOpacity strokeWidth strokeDashOffset strokeMiterLimit strokeOffset'),
  ...named(paint, 'color fill stroke'),
  ...named(word, 'strokeCap strokeJoin'),
  strokeDash: dashes,
};
export const TEXTS = {
  ...named(amount, 'angle dx dy fontSize limit lineHeight'),
  ...named(word, 'align baseline font fontStyle ellipsis dir lineBreak'),
  fontWeight: any(word, amount),
};
