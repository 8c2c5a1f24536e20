import { any, flag, isRecord, type Json, list, none, num, object, oneOf } from '../rules.ts';
import {
  type ChartContext,
  type K,
  type R,
  amount,
  dashes,
  format,
  formatType,
  gradient,
  label,
  named,
  predicate,
  scalar,
  timeUnit,
  value,
  word,
} from './values.ts';
import { axis, header, legend, scale, wholeBase } from './guides.ts';

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

/** Binning of a field; raises a step that would make thousands of bins. */
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

/** Returns the next number of the sequence 1, 2, 5, 10 and so on. */
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
export const definition: R = (given, context) => {
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

/**
 * Returns the conditions of a channel. A condition on the user's selection is treated as if everything were selected, which is
 * how a chart begins.
 */
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
