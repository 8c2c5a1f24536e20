import {
  description,
  freshnessSql,
  isPublic,
  memberList,
  meta,
  name,
  schedule,
  shown,
  title,
  titled,
} from './shared-keys.ts';
import {
  anything,
  bool,
  choice,
  formatted,
  hidden,
  key,
  list,
  map,
  members,
  named,
  plain,
  ref,
  refs,
  required,
  type Shape,
  sql,
} from './types.ts';

/** Keys that cubes and views share (docs/model-language.md#cubes, docs/model-language.md#views). */
export const entityKeys = {
  title,
  description,
  meta,
  public: isPublic,
  shown,
  sql_alias: key(plain, 'A short table alias for the generated SQL, where names get too long for the database.'),
  data_source: key(formatted('dataSource'), 'The data source that the SQL runs in. Default: `default`.'),
  refresh_key: key(map('cubeRefreshKey'), 'When cached results are out of date.'),
  rewrite_queries: hidden(bool, 'Whether queries may be rewritten.'),
  joins: key(members('join'), 'How this cube joins to others: a LEFT JOIN from here to each of them.'),
  dimensions: key(members('dimension'), 'Attributes of a row: what to group and to filter by.'),
  measures: key(members('measure'), 'Calculations over many rows.'),
  segments: key(members('segment'), 'Named filters.'),
  hierarchies: key(members('hierarchy'), 'Ordered dimensions to drill through.'),
  pre_aggregations: key(
    members('preAggregation'),
    'Precomputed results, so that queries do not have to read the warehouse.',
  ),
  access_policy: key(list(map('policy')), 'Who sees which members and which rows.'),
} as const;

export const cubeShapes = {
  file: {
    title: 'Model file',
    doc: 'A data-model file holds lists of cubes, views and view groups.',
    camel: false,
    keys: {
      cubes: key(members('cube'), 'Cubes: tables of facts or entities with their measures, dimensions and joins.'),
      views: key(members('view'), 'Views: what users query, with members of several cubes.'),
      view_groups: key(members('viewGroup'), 'Groups of views, as users see them.'),
    },
  },
  cube: {
    title: 'Cube',
    doc: 'A table or a query, with the measures, dimensions, segments and joins on it.',
    camel: true,
    keys: {
      name: name('cube'),
      sql_table: key(sql, 'The table (or a qualified or quoted name). One of `sql_table` and `sql`.'),
      sql: key(sql, 'A query that yields the rows. One of `sql` and `sql_table`.'),
      extends: key(ref('cube'), 'The cube whose members, joins and settings this one inherits.'),
      ...entityKeys,
      file_name: hidden(anything, 'Where it is defined; the engine knows that without it.'),
      calendar: key(bool, 'A calendar cube: its time dimensions may define granularities by SQL and time shifts.'),
    },
    rules: [
      { rule: 'exclusive', keys: ['sql', 'sql_table'] },
      { rule: 'some', keys: ['sql', 'sql_table'], when: [{ key: 'extends', absent: true }] },
    ],
  },
  join: {
    title: 'Join',
    doc: 'A LEFT JOIN from this cube to another one.',
    camel: false,
    keys: {
      name: required(named('cube'), 'The cube to join to.'),
      relationship: required(
        choice(
          ['many_to_one', 'Many rows here belong to one row there.'],
          ['one_to_many', 'One row here has many rows there.'],
          ['one_to_one', 'One row here matches at most one row there.'],
          { value: 'belongs_to', doc: 'Old name of `many_to_one`.', deprecated: 'many_to_one' },
          { value: 'has_many', doc: 'Old name of `one_to_many`.', deprecated: 'one_to_many' },
          { value: 'has_one', doc: 'Old name of `one_to_one`.', deprecated: 'one_to_one' },
        ),
        'How many rows match on each side.',
      ),
      sql: required(sql, 'The ON condition, for example `{CUBE.user_id} = {users.id}`.'),
    },
  },
  segment: {
    title: 'Segment',
    doc: 'A named filter.',
    camel: true,
    keys: {
      name: name('segment'),
      sql: required(sql, 'A condition on a row.'),
      ...titled,
      aliases: hidden(list(plain), 'Other names.'),
    },
  },
  hierarchy: {
    title: 'Hierarchy',
    doc: 'Dimensions in the order in which users drill down.',
    camel: false,
    keys: {
      name: name('hierarchy'),
      title,
      public: isPublic,
      levels: required(refs('dimension'), 'The dimensions, from the widest to the finest.'),
    },
  },
  cubeRefreshKey: {
    title: 'Refresh key',
    doc: 'When cached results of the cube are out of date: by time, by a query, or never.',
    camel: true,
    keys: {
      ...schedule,
      sql: freshnessSql,
      immutable: key(bool, '`true`: the data never changes.'),
    },
    rules: [
      { rule: 'some', keys: ['every', 'sql', 'immutable'] },
      { rule: 'none', keys: ['timezone'], when: [{ key: 'sql', or: ['immutable'] }] },
      { rule: 'exclusive', keys: ['immutable', 'every'] },
      { rule: 'exclusive', keys: ['immutable', 'sql'] },
    ],
  },
  policy: {
    title: 'Access policy',
    doc: 'What one group (or several) may see of this cube or view.',
    camel: true,
    keys: {
      group: key(formatted('group'), 'The group that the policy applies to; `"*"` is everyone.'),
      groups: key(list(formatted('group')), 'The groups that the policy applies to.'),
      conditions: key(list(map('policyCondition')), 'Further conditions; all must hold.'),
      member_level: key(map('memberLevel'), 'Which members the group sees.'),
      member_masking: key(map('memberMasking'), 'Which members are masked. Needs `member_level`.'),
      row_level: key(map('rowLevel'), 'Which rows the group sees.'),
    },
    rules: [
      { rule: 'exclusive', keys: ['group', 'groups'], mayBeUndefined: true },
      { rule: 'some', keys: ['group', 'groups'] },
      { rule: 'all', keys: ['member_level'], when: [{ key: 'member_masking' }] },
    ],
  },
  policyCondition: {
    title: 'Condition',
    doc: 'Holds when the expression is true.',
    camel: true,
    keys: {
      if: required(
        ref('member'),
        'An expression on the security context, for example `"{ securityContext.isAdmin }"`.',
      ),
    },
  },
  memberLevel: {
    title: 'Member level',
    doc: 'Either list may be `"*"`.',
    camel: true,
    keys: {
      includes: key(memberList(), 'The members the group sees. Default: all.'),
      excludes: key(memberList(1), 'Members it does not see.'),
    },
  },
  memberMasking: {
    title: 'Member masking',
    doc: 'A masked member shows its `mask` instead of its value.',
    camel: true,
    keys: {
      includes: key(memberList(), 'The members to mask. Default: all.'),
      excludes: key(memberList(1), 'Members that are not masked.'),
    },
  },
  rowLevel: {
    title: 'Row level',
    doc: 'Either filters, or everything.',
    camel: true,
    keys: {
      filters: key(list(map('rowFilter')), 'Filters on the rows; all must hold.'),
      allow_all: key(bool, '`true`: every row.'),
    },
    rules: [
      { rule: 'exclusive', keys: ['filters', 'allow_all'], mayBeUndefined: true },
      { rule: 'some', keys: ['filters', 'allow_all'] },
      {
        rule: 'none',
        keys: ['allow_all'],
        when: [{ key: 'allow_all', in: ['false'] }],
        mayBeUndefined: true,
        why: 'It can only be `true`; list `filters` to show some rows.',
      },
    ],
  },
} as const satisfies Record<string, Shape>;
