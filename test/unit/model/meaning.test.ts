import { describe, expect, it } from 'vitest';
import { problemsOf } from '#support/language/problems.ts';
import { indented, jinja, js, yaml } from '#support/language/raw.ts';

/** Lists of a cube `orders` to which a case adds. */
interface Slots {
  readonly dimensions?: string;
  readonly measures?: string;
  readonly segments?: string;
  readonly joins?: string;
  readonly more?: string;
  readonly sql?: string;
}

const modelWith = ({
  dimensions = '',
  measures = '',
  segments = '',
  joins = '',
  more = '',
  sql,
}: Slots): string => `cubes:
  - name: orders
    ${sql ?? 'sql_table: orders'}
    joins:
      - {name: users, relationship: many_to_one, sql: "{CUBE}.user_id = {users.id}"}
      - {name: items, relationship: one_to_many, sql: "{CUBE}.id = {items.order_id}"}
      ${joins}
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: status, sql: status, type: string}
      - {name: created_at, sql: created_at, type: time}
      ${dimensions}
    measures:
      - {name: count, type: count}
      - {name: revenue, type: sum, sql: amount}
      ${measures}
    segments:
      - {name: paid, sql: "{CUBE}.paid"}
      ${segments}
    ${more}
  - name: users
    sql_table: users
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: city, sql: city, type: string}
  - name: items
    sql_table: items
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: order_id, sql: order_id, type: number}
      - {name: price, sql: price, type: number}
    measures:
      - {name: total, type: sum, sql: price}
  - name: lone
    sql_table: lone
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
`;

const found = (slots: Slots): string[] =>
  problemsOf({ 'm.yml': modelWith(slots) }).map(({ code, text }) => `${code}: ${text.split('\n')[0]}`);

const rollup = (text: string): string => `pre_aggregations: [{name: main, ${text}}]`;

/** Models that compile; `reported` is what is said of them. */
interface Case {
  readonly name: string;
  readonly slots: Slots;
  readonly reported: readonly string[];
}

const wrong: readonly Case[] = [
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
];

/** Sound SQL that looks like one of the mistakes. */
const right: readonly (readonly [string, Slots])[] = [
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
  ['a filter of the query', { segments: `- {name: x, sql: "{FILTER_PARAMS.orders.count.filter('a')}"}` }],
];

describe('the meaning of SQL', () => {
  it.each(wrong)('is judged: $name', ({ slots, reported }) => {
    expect(found(slots)).toEqual(reported);
  });

  it.each(right)('is left alone: %s', (_, slots) => {
    expect(found(slots)).toEqual([]);
  });

  it('is judged in scripts too', () => {
    const text = js`
      cube(\`orders\`, {
        sql_table: \`orders\`,
        measures: {
          a: { type: \`sum\`, sql: \`x\` },
          b: { type: \`sum\`, sql: \`\${a} + 1\` },
          c: { type: \`sum\`, sql: \`ROUND(x\` },
        },
      });
    `;
    expect(problemsOf({ 'm.js': text }).map(({ code, text: marked }) => [code, marked])).toEqual([
      ['incomplete-sql', '('],
      ['nested-aggregate', '${a}'],
    ]);
  });

  it('is not judged where a template decides the text', () => {
    const text = modelWith({ measures: '- {name: x, type: sum, sql: "{{ COMPILE_CONTEXT.part }}({revenue}"}' });
    expect(problemsOf({ 'm.yml': text }).map(({ code }) => code)).toEqual([]);
  });
});

describe('a cube that joins nothing', () => {
  const third = indented(
    2,
    yaml`
      - name: visits
        sql_table: visits
        joins:
          - {name: orders, relationship: many_to_one, sql: "{CUBE}.order_id = {orders.id}"}
          - {name: lone, relationship: many_to_one, sql: "{CUBE}.lone_id = {lone.id}"}
        dimensions:
          - {name: id, sql: id, type: number, primary_key: true}
    `,
  );

  it('may be reached by a third one, from which queries begin', () => {
    const text = modelWith({ dimensions: '- {name: x, type: number, sql: "{lone.id}"}' }) + third;
    expect(problemsOf({ 'm.yml': text })).toEqual([]);
  });

  it('may be reached by joins that a template makes', () => {
    const text = modelWith({ dimensions: '- {name: x, type: number, sql: "{lone.id}"}' });
    const other = jinja`
      cubes:
        - name: made
          sql_table: made
      {% for x in [] %}
          public: true
      {% endfor %}
    `;
    expect(problemsOf({ 'm.yml': text, 'n.yml': other }).map(({ code }) => code)).toEqual([]);
  });
});
