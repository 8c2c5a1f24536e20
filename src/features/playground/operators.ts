import type { Operator } from './draft.ts';

/** The kinds of values that filters compare; measures count as numbers. */
export type ValueKind = 'text' | 'number' | 'time' | 'boolean';

/** The number of values that an operator needs. */
export type ValueCount = 'none' | 'one' | 'some' | 'dates';

/** An operator with its label. */
export interface OperatorChoice {
  readonly operator: Operator;
  readonly label: string;
}

const labels: Readonly<Record<Operator, string>> = {
  equals: 'equals',
  notEquals: 'does not equal',
  contains: 'contains',
  notContains: 'does not contain',
  startsWith: 'starts with',
  notStartsWith: 'does not start with',
  endsWith: 'ends with',
  notEndsWith: 'does not end with',
  gt: 'is greater than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  inDateRange: 'is in the date range',
  notInDateRange: 'is not in the date range',
  beforeDate: 'is before',
  beforeOrOnDate: 'is on or before',
  afterDate: 'is after',
  afterOrOnDate: 'is on or after',
  set: 'is set',
  notSet: 'is not set',
};

const presence = ['set', 'notSet'] as const;
const equality = ['equals', 'notEquals'] as const;
const ofKind: Readonly<Record<ValueKind, readonly Operator[]>> = {
  text: [
    ...equality,
    ...(['contains', 'notContains', 'startsWith', 'notStartsWith', 'endsWith', 'notEndsWith'] as const),
    ...presence,
  ],
  number: [...equality, 'gt', 'gte', 'lt', 'lte', ...presence],
  time: [
    ...(['inDateRange', 'notInDateRange', 'beforeDate', 'beforeOrOnDate', 'afterDate', 'afterOrOnDate'] as const),
    ...equality,
    ...presence,
  ],
  boolean: [...equality, ...presence],
};

/** Returns the operators for filters on values of this kind, as listed in docs/data-api.md#filters. */
export function operatorsOf(kind: ValueKind): readonly OperatorChoice[] {
  return ofKind[kind].map((operator) => ({ operator, label: labels[operator] }));
}

/** Returns the label of an operator. */
export function operatorLabel(operator: Operator): string {
  return labels[operator];
}

/** Returns the number of values that an operator needs. */
export function valueCount(operator: Operator): ValueCount {
  switch (operator) {
    case 'set':
    case 'notSet':
      return 'none';
    case 'inDateRange':
    case 'notInDateRange':
      return 'dates';
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
    case 'beforeDate':
    case 'beforeOrOnDate':
    case 'afterDate':
    case 'afterOrOnDate':
      return 'one';
    default:
      return 'some';
  }
}
