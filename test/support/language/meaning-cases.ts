import type { Slots } from './meaning-model.ts';
import { yaml } from './raw.ts';

const rollup = (text: string): string => `pre_aggregations: [{name: main, ${text}}]`;

/** Models that compile; `reported` is what is said of them. */
interface Case {
  readonly name: string;
  readonly slots: Slots;
  readonly reported: readonly string[];
}

/** Models with one mistake that the engine does not see. */
export const wrong: readonly Case[] = [
  {
    name: 'a sum of a measure',
    slots: { measures: '- {name: x, type: sum, sql: "{revenue} * 2"}' },
    reported: ['nested-aggregate: {revenue}'],
  },
  {
    name: 'a sum of an aggregate',
    slots: { measures: '- {name: x, type: sum, sql: "SUM({CUBE}.amount)"}' },
    reported: ['nested-aggregate: SUM'],
  },
  {
    name: 'a count of a measure of another cube',
    slots: { measures: '- {name: x, type: count_distinct, sql: "{items.total}"}' },
    reported: ['nested-aggregate: {items.total}'],
  },
  {
    name: 'a dimension on a measure',
    slots: { dimensions: '- {name: x, type: number, sql: "{revenue} > 100"}' },
    reported: ['aggregate-of-row: {revenue}'],
  },
  {
    name: 'a dimension on an aggregate',
    slots: { dimensions: '- {name: x, type: number, sql: "COALESCE(SUM({CUBE}.amount), 0)"}' },
    reported: ['aggregate-of-row: SUM'],
  },
  {
    name: 'a branch of a dimension on a measure',
    slots: {
      dimensions: '- {name: x, type: string, case: {when: [{sql: "{revenue} > 1", label: many}], else: {label: few}}}',
    },
    reported: ['aggregate-of-row: {revenue}'],
  },
  {
    name: 'a segment on a measure',
    slots: { segments: '- {name: x, sql: "{revenue} > 100"}' },
    reported: ['aggregate-of-row: {revenue}'],
  },
  {
    name: 'a filter on a measure',
    slots: { measures: '- {name: x, type: count, filters: [{sql: "{revenue} > 100"}]}' },
    reported: ['aggregate-of-row: {revenue}'],
  },
  {
    name: 'a join on a measure',
    slots: { joins: '- {name: lone, relationship: one_to_one, sql: "{revenue} = {lone.id}"}' },
    reported: ['aggregate-of-row: {revenue}'],
  },
  {
    name: 'a formula without an aggregate',
    slots: { measures: '- {name: x, type: number, sql: amount}' },
    reported: ['missing-aggregate: amount'],
  },
  {
    name: 'a formula that divides an aggregate by a column',
    slots: { measures: '- {name: x, type: number, sql: "{revenue} / NULLIF({CUBE}.rate, 0)"}' },
    reported: ['missing-aggregate: {CUBE}'],
  },
  {
    name: 'a formula of a dimension',
    slots: { measures: '- {name: x, type: number, sql: "{revenue} / {status}"}' },
    reported: ['missing-aggregate: {status}'],
  },
  {
    name: 'filters of a formula',
    slots: { measures: '- {name: x, type: number, sql: "{revenue} / {count}", filters: [{sql: "{CUBE}.paid"}]}' },
    reported: ['missing-aggregate: filters'],
  },
  {
    name: 'a sub query of a column',
    slots: { dimensions: '- {name: x, type: number, sql: "{CUBE}.amount", sub_query: true}' },
    reported: ['missing-aggregate: "{CUBE}.amount"'],
  },
  {
    name: 'a bracket that nothing closes',
    slots: { measures: '- {name: x, type: number, sql: "SUM({CUBE}.amount"}' },
    reported: ['incomplete-sql: ('],
  },
  {
    name: 'a bracket that closes nothing',
    slots: { measures: '- {name: x, type: sum, sql: "{CUBE}.amount)"}' },
    reported: ['incomplete-sql: )'],
  },
  {
    name: 'a quote that nothing closes',
    slots: { dimensions: `- {name: x, type: string, sql: "CONCAT(status, 'a)"}` },
    reported: ["incomplete-sql: '"],
  },
  {
    name: 'a comma at the end',
    slots: { dimensions: '- {name: x, type: string, sql: "{CUBE}.status,"}' },
    reported: ['incomplete-sql: ,'],
  },
  {
    name: 'an operator at the end',
    slots: { segments: '- {name: x, sql: "{CUBE}.paid AND"}' },
    reported: ['incomplete-sql: AND'],
  },
  {
    name: 'a semicolon at the end of a query',
    slots: { sql: 'sql: SELECT * FROM orders;' },
    reported: ['incomplete-sql: ;'],
  },
  {
    name: 'a comment over what follows',
    slots: { measures: '- {name: x, type: sum, sql: "amount -- net"}' },
    reported: ['incomplete-sql: --'],
  },
  {
    name: 'a sum of a column that a join multiplies',
    slots: { measures: '- {name: x, type: sum, sql: "{CUBE}.rate * {items.price}"}' },
    reported: ['fan-out: items.price'],
  },
  {
    name: 'a formula of a column that a join multiplies',
    slots: { measures: '- {name: x, type: number, sql: "MAX({items.price})"}' },
    reported: ['fan-out: items.price'],
  },
  {
    name: 'a member of a cube that no join reaches',
    slots: { dimensions: '- {name: x, type: number, sql: "{lone.id}"}' },
    reported: ['no-join-path: lone.id'],
  },
  {
    name: 'a dimension among the measures of a rollup',
    slots: { more: rollup('measures: [status], dimensions: [status]') },
    reported: ['wrong-member-kind: status'],
  },
  {
    name: 'a measure among the dimensions of a rollup',
    slots: { more: rollup('measures: [count], dimensions: [revenue]') },
    reported: ['wrong-member-kind: revenue'],
  },
  {
    name: 'a dimension among the segments of a rollup',
    slots: { more: rollup('measures: [count], segments: [status]') },
    reported: ['wrong-member-kind: status'],
  },
  {
    name: 'a rollup by the time of a text',
    slots: { more: rollup('measures: [count], time_dimension: status, granularity: day') },
    reported: ['unknown-granularity: day', 'wrong-member-kind: status'],
  },
  {
    name: 'a shift in time of a text',
    slots: {
      measures:
        '- {name: x, type: number, multi_stage: true, sql: "{revenue}", time_shift: [{time_dimension: status, interval: 1 year, type: prior}]}',
    },
    reported: ['wrong-member-kind: status'],
  },
  {
    name: 'an inner query that is grouped by a measure',
    slots: { measures: '- {name: x, type: sum, multi_stage: true, sql: "{revenue}", group_by: [count]}' },
    reported: ['wrong-member-kind: count'],
  },
  {
    name: 'a partition that is shorter than its periods',
    slots: {
      more: rollup('measures: [count], time_dimension: created_at, granularity: month, partition_granularity: day'),
    },
    reported: ['wrong-partition: day'],
  },
  {
    name: 'an incremental refresh of what has no partitions',
    slots: { more: rollup('measures: [count], dimensions: [status], refresh_key: {every: 1 hour, incremental: true}') },
    reported: ['wrong-partition: incremental'],
  },
  {
    name: 'an average in a rollup',
    slots: {
      measures: '- {name: x, type: avg, sql: amount}',
      more: rollup('measures: [x, count], dimensions: [status]'),
    },
    reported: ['non-additive-rollup: x'],
  },
  {
    name: 'a count of distinct values in a rollup',
    slots: {
      measures: '- {name: x, type: count_distinct, sql: amount}',
      more: rollup('measures: [x, count], dimensions: [status]'),
    },
    reported: ['non-additive-rollup: x'],
  },
  {
    name: 'a branch for a value that a switch does not have',
    slots: {
      dimensions: '- {name: kind, type: switch, values: [a, b]}',
      measures:
        '- {name: x, type: number, multi_stage: true, case: {switch: "{CUBE.kind}", when: [{value: c, sql: "{CUBE.count}"}], else: {sql: "{CUBE.count}"}}}',
    },
    reported: ['unknown-case-value: c'],
  },
  {
    name: 'a formula that aggregates a measure again',
    slots: { measures: '- {name: x, type: number, sql: "COALESCE(SUM({revenue} * 2), 0) / {count}"}' },
    reported: ['nested-aggregate: {revenue}'],
  },
  {
    name: 'a formula that aggregates an aggregate',
    slots: { measures: '- {name: x, type: number, sql: "MAX(SUM({CUBE}.a)) / COUNT(*)"}' },
    reported: ['nested-aggregate: SUM'],
  },
  {
    name: 'a formula that multiplies an aggregate by a column without its table',
    slots: { measures: '- {name: x, type: number, sql: "({revenue} * orders.rate) / 100"}' },
    reported: ['missing-aggregate: orders'],
  },
  {
    name: 'a sum of an aggregate of another database',
    slots: { measures: '- {name: x, type: sum, sql: "collect_set({CUBE}.a)"}' },
    reported: ['nested-aggregate: collect_set'],
  },
  {
    name: 'a sub query of a dimension',
    slots: { dimensions: '- {name: x, type: number, sql: "{items.price}", sub_query: true}' },
    reported: ['missing-aggregate: "{items.price}"'],
  },
  {
    name: 'a sum of a dimension that is computed from rows that a join multiplies',
    slots: {
      dimensions:
        '- {name: net, type: number, sql: "{items.price} * 0.8"}\n      - {name: net2, type: number, sql: "{net}"}',
      measures: '- {name: x, type: sum, sql: "{CUBE.net2}"}',
    },
    reported: ['fan-out: CUBE.net2'],
  },
  {
    name: 'a sum with a filter of rows that a join multiplies',
    slots: {
      measures: '- {name: x, type: sum, sql: amount, filters: [{sql: "{CUBE}.a"}, {sql: "{items.price} > 1"}]}',
    },
    reported: ['fan-out: items.price'],
  },
  {
    name: 'a count of a column of rows that a join multiplies',
    slots: { measures: '- {name: x, type: count, sql: "{items.price}"}' },
    reported: ['fan-out: items.price'],
  },
  {
    name: 'a formula in a rollup without the measures that it is computed from',
    slots: {
      measures:
        '- {name: share, type: number, sql: "{revenue} / {count}"}\n      - {name: x, type: number, sql: "{share} * 100"}',
      more: rollup('measures: [x, count], dimensions: [status]'),
    },
    reported: ['non-additive-rollup: x'],
  },
  {
    name: 'a formula of aggregates in a rollup',
    slots: {
      measures: '- {name: x, type: number, sql: "SUM(a) / COUNT(*)"}',
      more: rollup('measures: [x], dimensions: [status]'),
    },
    reported: ['non-additive-rollup: x'],
  },
  {
    name: 'partitions of a rollup without a time',
    slots: { more: rollup('measures: [count], dimensions: [status], partition_granularity: month') },
    reported: ['wrong-partition: month'],
  },
  {
    name: 'two statements in the query of a cube',
    slots: { sql: 'sql: SELECT 1; SELECT 2' },
    reported: ['incomplete-sql: ;'],
  },
];

/** Sound SQL that looks like one of the mistakes. */
export const right: readonly (readonly [string, Slots])[] = [
  ['a formula of measures', { measures: '- {name: x, type: number, sql: "1.0 * {revenue} / NULLIF({count}, 0)"}' }],
  ['a formula of aggregates', { measures: '- {name: x, type: number, sql: "SUM({CUBE}.a) / MAX({status})"}' }],
  ['an aggregate of the database’s own', { measures: '- {name: x, type: number, sql: "quantile(0.9)({CUBE}.a)"}' }],
  ['a function of a schema', { measures: '- {name: x, type: number, sql: "util.last({CUBE}.a)"}' }],
  ['a constant', { measures: '- {name: x, type: number, sql: "1"}' }],
  ['a filtered aggregate', { measures: '- {name: x, type: number, sql: "COUNT(*) FILTER (WHERE {CUBE}.paid)"}' }],
  [
    'a multi-stage sum',
    { measures: '- {name: x, type: sum, sql: "{revenue}", multi_stage: true, group_by: [status]}' },
  ],
  ['a sub query', { dimensions: '- {name: x, type: number, sql: "{items.total}", sub_query: true}' }],
  ['a window', { dimensions: '- {name: x, type: number, sql: "SUM(amount) OVER (PARTITION BY user_id)"}' }],
  ['a query within', { dimensions: '- {name: x, type: number, sql: "(SELECT MAX(a) FROM t)"}' }],
  ['the larger of two columns', { dimensions: '- {name: x, type: number, sql: "MAX({CUBE}.a, {CUBE}.b)"}' }],
  ['a column that is called like a function', { dimensions: '- {name: x, type: number, sql: "{CUBE}.count"}' }],
  ['a bracket in a text', { segments: `- {name: x, sql: "{CUBE}.a = '(' OR {CUBE}.a = 'it''s'"}` }],
  ['a bracket in a comment', { measures: '- {name: x, type: sum, sql: "amount /* :( */"}' }],
  [
    'a comment that ends',
    {
      sql: yaml`
        sql: |
              SELECT * FROM orders -- all (of
      `,
    },
  ],
  ['a comment in a comment', { measures: '- {name: x, type: sum, sql: "amount /* /* ( */ ( */"}' }],
  ['a comment that an escaped line break ends', { measures: String.raw`- {name: x, type: sum, sql: "a -- SUM(b)\n"}` }],
  ['a text between dollars', { segments: '- {name: x, sql: "{CUBE}.a = $$($$"}' }],
  ['a column that is called like an operator', { dimensions: '- {name: x, type: string, sql: "{CUBE}.from"}' }],
  ['a sum of a column of the one row of another cube', { measures: '- {name: x, type: sum, sql: "{users.id}"}' }],
  [
    'different values of what a join multiplies',
    { measures: '- {name: x, type: count_distinct, sql: "{items.price}"}' },
  ],
  [
    'a rollup that fits',
    {
      more: rollup(
        'measures: [CUBE.count, revenue], dimensions: [users.city, status], segments: [paid], time_dimension: created_at, granularity: day, partition_granularity: month, refresh_key: {every: 1 hour, incremental: true}',
      ),
    },
  ],
  [
    'a partition of weeks in months',
    { more: rollup('measures: [count], time_dimension: created_at, granularity: week, partition_granularity: month') },
  ],
  [
    'a formula in a rollup with the measures that it is computed from',
    {
      measures: '- {name: x, type: number, sql: "{revenue} / {count}"}',
      more: rollup('measures: [x, revenue, count], dimensions: [status]'),
    },
  ],
  ['a sum over groups of an aggregate', { measures: '- {name: x, type: number, sql: "SUM(SUM({CUBE}.a)) OVER ()"}' }],
  ['a share of all groups', { measures: '- {name: x, type: number, sql: "{revenue} / SUM({revenue}) OVER ()"}' }],
  [
    'a count of rows that have some of what a join multiplies',
    { measures: '- {name: x, type: count, filters: [{sql: "{items.price} > 1"}]}' },
  ],
  [
    'different values of rows that have some of what a join multiplies',
    { measures: '- {name: x, type: count_distinct, sql: status, filters: [{sql: "{items.price} > 1"}]}' },
  ],
  [
    'a sum of a sub query',
    {
      dimensions: '- {name: total, type: number, sql: "{items.total}", sub_query: true}',
      measures: '- {name: x, type: sum, sql: "{total}"}',
    },
  ],
  [
    'a sub query of an aggregate',
    { dimensions: '- {name: x, type: number, sql: "MAX({items.price})", sub_query: true}' },
  ],
  [
    'partitions of the query of a cube',
    {
      more: 'pre_aggregations: [{name: main, type: original_sql, time_dimension: created_at, partition_granularity: month}]',
    },
  ],
  ['a filter of the query', { segments: `- {name: x, sql: "{FILTER_PARAMS.orders.count.filter('a')}"}` }],
];
