import { comparison, conditionRules, name, operator, shiftRules } from './shared-keys.ts';
import {
  anything,
  bool,
  choice,
  either,
  formatted,
  key,
  list,
  map,
  plain,
  ref,
  refs,
  required,
  sql,
  type Rule,
  type Shape,
} from './types.ts';

/** Without values, a filter can only check whether a value is set. */
const needsValues: Rule = {
  rule: 'all',
  keys: ['values'],
  when: [{ key: 'member' }, { key: 'operator', notIn: ['set', 'notSet'] }],
};
const shiftType = choice(['prior', 'Back in time.'], ['next', 'Forward in time.']);

export const nestedShapes = {
  case: {
    title: 'Case',
    doc: 'The first branch whose condition holds; or, with `switch`, by the value of a switch dimension.',
    camel: true,
    keys: {
      switch: key(ref('switchDimension'), 'The switch dimension.'),
      when: key(list(map('caseWhen')), 'The branches.'),
      else: key(map('caseElse'), 'The result if no branch matches.'),
    },
  },
  caseWhen: {
    title: 'Branch',
    doc: 'A condition with a label, or a value with SQL.',
    camel: true,
    keys: {
      sql: required(sql, 'The condition; in the `switch` form the result.'),
      label: key(either(plain, map('sqlOnly')), 'The result.'),
      value: key(plain, 'The value of the switch dimension.'),
    },
    rules: [{ rule: 'exclusive', keys: ['label', 'value'] }],
  },
  caseElse: {
    title: 'Else branch',
    doc: 'The result where no branch holds.',
    camel: true,
    keys: {
      label: key(either(plain, map('sqlOnly')), 'The result.'),
      sql: key(sql, 'The result in the `switch` form.'),
    },
    rules: [{ rule: 'exclusive', keys: ['label', 'sql'] }],
  },
  format: {
    title: 'Link format',
    doc: 'Shows the value as a link.',
    camel: true,
    keys: { type: key(choice(['link', 'A link.']), 'Always `link`.'), label: required(plain, 'The text of the link.') },
  },
  link: {
    title: 'Link',
    doc: 'Where users can go from a value.',
    camel: true,
    keys: {
      name: name('link'),
      label: required(plain, 'The text of the link.'),
      url: key(
        ref('member'),
        'The address: an expression, or an explicit f-string such as `f"\'https://x/\' || {CUBE.id}"`.',
      ),
      dashboard: key(plain, 'The dashboard to open.'),
      icon: key(plain, 'Its icon.'),
      target: key(choice(['blank', 'A new window.'], ['self', 'The same window.']), 'Where it opens.'),
      primary: key(bool, 'Whether it is the main link; one at most.'),
      params: key(list(map('linkParam')), 'Parameters.'),
    },
    rules: [{ rule: 'exclusive', keys: ['url', 'dashboard'] }],
  },
  linkParam: {
    title: 'Parameter',
    doc: 'A parameter of a link.',
    camel: true,
    keys: { key: required(plain, 'Its name.'), value: required(ref('member'), 'Its value.') },
  },
  rollingWindow: {
    title: 'Rolling window',
    doc: 'Which periods before and after count.',
    camel: true,
    keys: {
      type: key(
        choice(
          ['fixed', 'A window of `trailing` and `leading` (the default).'],
          ['to_date', 'From the start of the `granularity` on.'],
          { value: 'year_to_date', doc: 'Deprecated: use `to_date` with `granularity: year`.', hidden: true },
          { value: 'quarter_to_date', doc: 'Deprecated: use `to_date` with `granularity: quarter`.', hidden: true },
          { value: 'month_to_date', doc: 'Deprecated: use `to_date` with `granularity: month`.', hidden: true },
        ),
        'The kind of window.',
      ),
      trailing: key(formatted('rollingInterval'), 'How far back, for example `1 month`, or `unbounded`.'),
      leading: key(formatted('rollingInterval'), 'How far ahead, or `unbounded`.'),
      offset: key(
        choice(['start', 'From the start of the period.'], ['end', 'From its end (the default).']),
        'Where the window is fixed.',
      ),
      granularity: key(formatted('granularity'), 'The period of `to_date`.'),
    },
    rules: [
      { rule: 'all', keys: ['granularity'], when: [{ key: 'type', in: ['to_date'] }] },
      {
        rule: 'none',
        keys: ['trailing', 'leading', 'offset'],
        when: [{ key: 'type', in: ['to_date', 'year_to_date', 'quarter_to_date', 'month_to_date'] }],
      },
      { rule: 'none', keys: ['granularity'], when: [{ key: 'type', notIn: ['to_date'] }] },
    ],
  },
  timeShift: {
    title: 'Time shift',
    doc: 'Another point in time.',
    camel: true,
    keys: {
      time_dimension: key(ref('dimension'), 'The time dimension to shift.'),
      interval: key(formatted('interval'), 'How far, for example `1 year`.'),
      type: key(shiftType, 'Which way.'),
      name: key(formatted('identifier'), 'A time shift that a calendar cube defines.'),
    },
    rules: [
      { rule: 'exclusive', keys: ['name', 'interval'], mayBeUndefined: true },
      { rule: 'some', keys: ['name', 'interval'] },
      ...shiftRules,
    ],
  },
  calendarShift: {
    title: 'Time shift',
    doc: 'A shift that measures can use by name, or one that overrides an interval.',
    camel: true,
    keys: {
      name: key(formatted('identifier'), 'The name that measures use.'),
      interval: key(formatted('interval'), 'How far.'),
      type: key(shiftType, 'Which way.'),
      sql: key(sql, 'The shifted point in time.'),
    },
    rules: [
      { rule: 'some', keys: ['sql', 'name'] },
      { rule: 'some', keys: ['sql', 'interval'] },
      { rule: 'some', keys: ['name', 'interval'] },
      ...shiftRules,
      {
        rule: 'none',
        keys: ['interval', 'type'],
        when: [{ key: 'name' }, { key: 'sql' }],
        mayBeUndefined: true,
        why: 'A named shift has either `sql` or an interval.',
      },
    ],
  },
  orderBy: {
    title: 'Order',
    doc: 'What to rank by.',
    camel: true,
    keys: {
      sql: required(sql, 'The expression.'),
      dir: key(choice(['asc', 'Ascending.'], ['desc', 'Descending.']), 'The direction.'),
    },
  },
  stageFilter: {
    title: 'Filter of the inner query',
    doc: 'Which filters of the query hold inside.',
    camel: true,
    keys: {
      mode: key(
        choice(['relative', 'Starts from the filters of the query.'], ['fixed', 'Starts from none.']),
        'Where it starts from.',
      ),
      exclude: key(refs('dimension'), 'Filters on these do not hold inside.'),
      keep_only: key(refs('dimension'), 'Only filters on these hold inside.'),
      include: key(list(map('stageCondition')), 'Further filters.'),
    },
    rules: [{ rule: 'exclusive', keys: ['exclude', 'keep_only'] }],
  },
  stageCondition: {
    title: 'Filter',
    doc: 'A filter, or several joined by `and` or `or`.',
    camel: true,
    keys: {
      member: key(plain, 'The member.'),
      ...comparison,
      and: key(list(map('stageCondition')), 'All of them.'),
      or: key(list(map('stageCondition')), 'Any of them.'),
    },
    rules: [...conditionRules, needsValues],
  },
  grain: {
    title: 'Grain of the inner query',
    doc: 'Which dimensions the inner query keeps.',
    camel: true,
    keys: {
      exclude: key(refs('dimension'), 'All but these.'),
      keep_only: key(refs('dimension'), 'Only these.'),
      include: key(refs('dimension'), 'These as well.'),
    },
    rules: [{ rule: 'exclusive', keys: ['exclude', 'keep_only'] }],
  },
  rowFilter: {
    title: 'Row filter',
    doc: 'A filter on rows, or several joined by `and` or `or`.',
    camel: true,
    keys: {
      member: key(ref('ownMember'), 'The member to filter by.'),
      operator: key(operator, 'How to compare.'),
      values: key(list(anything), 'What to compare with; may hold `{ securityContext.x }`.'),
      and: key(list(map('rowFilter')), 'All of them.'),
      or: key(list(map('rowFilter')), 'Any of them.'),
    },
    rules: [...conditionRules, needsValues],
  },
} as const satisfies Record<string, Shape>;
