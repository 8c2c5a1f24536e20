import {
  anything,
  bool,
  choice,
  type Choice,
  deprecated,
  either,
  formatted,
  key,
  type Key,
  list,
  named,
  plain,
  required,
  type Rule,
  sql,
  type Type,
} from './types.ts';

export const name = (what: string): Key =>
  required(formatted('identifier'), `Name of the ${what}: letters, digits and \`_\`, not starting with a digit.`);
export const title = key(plain, 'The name that users see. Default: the name, made readable.');
export const description = key(plain, 'What it means, for users and for the AI agent.');
export const meta = key(anything, 'Custom metadata. The AI agent reads `ai_context`.');
export const isPublic = key(bool, 'Whether it can be queried from outside the model. Default: `true`.');
export const shown = deprecated(bool, 'Old name of `public`.', 'public', '`shown` is the old name of `public`.');

export const titled = { title, description, meta, public: isPublic, shown } as const;

export const GRANULARITIES = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export const PARTITIONS = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;

export const units = (names: readonly string[], doc: (name: string) => string): Type =>
  choice(...names.map((unit): Choice => ({ value: unit, doc: doc(unit) })));

/** The formats of every type; numbers and times have more. */
export const basicFormat = choice(
  ['percent', 'A fraction as a percentage.'],
  ['currency', 'An amount of money.'],
  ['number', 'A number.'],
  ['link', 'An address that users can follow.'],
  ['imageUrl', 'The address of a picture.'],
  ['id', 'A number without separators.'],
);

const OPERATORS: readonly (readonly [string, string])[] = [
  ['equals', 'Is one of the values.'],
  ['notEquals', 'Is none of the values.'],
  ['contains', 'Contains one of the texts (case does not matter).'],
  ['notContains', 'Contains none of the texts.'],
  ['startsWith', 'Starts with one of the texts.'],
  ['notStartsWith', 'Starts with none of the texts.'],
  ['endsWith', 'Ends with one of the texts.'],
  ['notEndsWith', 'Ends with none of the texts.'],
  ['in', 'Is one of the values.'],
  ['notIn', 'Is none of the values.'],
  ['gt', 'Greater than.'],
  ['gte', 'Greater than or equal.'],
  ['lt', 'Less than.'],
  ['lte', 'Less than or equal.'],
  ['set', 'Is not NULL; takes no values.'],
  ['notSet', 'Is NULL; takes no values.'],
  ['inDateRange', 'Within the two dates.'],
  ['notInDateRange', 'Outside the two dates.'],
  ['onTheDate', 'On the date.'],
  ['beforeDate', 'Before the date.'],
  ['beforeOrOnDate', 'Before or on the date.'],
  ['afterDate', 'After the date.'],
  ['afterOrOnDate', 'After or on the date.'],
];

export const viewOperator = choice(...OPERATORS);
export const operator = choice(...OPERATORS, ['measureFilter', 'The filter of a measure.']);

/** An operator and its operands. */
export const comparison = {
  operator: key(operator, 'How to compare.'),
  values: key(list(anything), 'What to compare with.'),
} as const;

/** A filter, or several joined by `and` or `or`. */
export const conditionRules: readonly Rule[] = [
  { rule: 'exclusive', keys: ['and', 'or', 'member'] },
  { rule: 'some', keys: ['and', 'or', 'member'] },
  { rule: 'all', keys: ['operator'], when: [{ key: 'member' }] },
  {
    rule: 'none',
    keys: ['operator', 'values'],
    when: [{ key: 'and', or: ['or'] }],
    why: 'Each of the filters below has its own.',
  },
];

/** Distance and direction must be given together. */
export const shiftRules: readonly Rule[] = [
  { rule: 'all', keys: ['interval', 'type'], when: [{ key: 'interval' }] },
  { rule: 'all', keys: ['interval', 'type'], when: [{ key: 'type' }] },
];

/** Returns the type for members of the own cube or view, or all of them. */
export const memberList = (min?: number): Type => either(choice(['*', 'All members.']), list(named('ownMember'), min));

/** The schedule of a rebuild. */
export const schedule = {
  every: key(formatted('every'), 'An interval such as `1 hour`, or a cron expression.'),
  timezone: key(formatted('timezone'), 'The time zone of a cron expression.'),
} as const;
export const freshnessSql = key(sql, 'A query whose result changes when the data did.');
