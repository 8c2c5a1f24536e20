import { describe, expect, it } from 'vitest';
import { problemsOf } from '#support/language/problems.ts';

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
  ['a comment that ends', { sql: 'sql: |\n      SELECT * FROM orders -- all (of\n' }],
  ['a text between dollars', { segments: '- {name: x, sql: "{CUBE}.a = $$($$"}' }],
  ['a column that is called like an operator', { dimensions: '- {name: x, type: string, sql: "{CUBE}.from"}' }],
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
    const text =
      'cube(`orders`, {\n  sql_table: `orders`,\n  measures: {\n    a: { type: `sum`, sql: `x` },\n    b: { type: `sum`, sql: `${a} + 1` },\n    c: { type: `sum`, sql: `ROUND(x` },\n  },\n});\n';
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
