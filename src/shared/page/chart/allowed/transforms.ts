import { any, flag, list, none, num, object, oneOf } from '../rules.ts';
import {
  type ChartContext,
  type K,
  type R,
  amount,
  expression,
  named,
  predicate,
  scalar,
  timeUnit,
  word,
} from './values.ts';
import { aggregate } from './channels.ts';
import { withoutNulls } from '../expression.ts';
import { MANY } from './views.ts';

const sortFields = list<ChartContext>(
  object(() => ({ field: word, order: any(word, none) })),
  20,
);
const fields = list<ChartContext>(word, 100);

const nullAware: R = (given, context) => {
  const plain = expression(given, context);
  return typeof plain === 'string' ? withoutNulls(plain) : plain;
};

/** The kinds of transforms and their keys. The number of rows that a transform creates is bounded where the list is read. */
export const transforms: Readonly<Record<string, K>> = {
  filter: { filter: predicate },
  calculate: { calculate: nullAware, as: word },
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
