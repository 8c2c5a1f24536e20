import { describe, expect, it } from 'vitest';
import { problemsOf } from './problems.ts';

const USERS = `cubes:
  - name: users
    sql_table: users
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: city, sql: city, type: string}
    measures:
      - {name: count, type: count}
`;

interface Parts {
  readonly join?: string;
  readonly sql?: string;
  readonly dimensions?: string;
  readonly measures?: string;
  readonly rest?: string;
  readonly after?: string;
}

function orders({
  join = '"{CUBE.id} = {users.id}"',
  sql = 'sql_table: orders',
  dimensions = '',
  measures = '',
  rest = '',
  after = '',
}: Parts): string {
  return `cubes:
  - name: orders
    ${sql}
    joins:
      - {name: users, relationship: many_to_one, sql: ${join}}
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: status, sql: status, type: string}
      - {name: created_at, sql: created_at, type: time}
${dimensions}
    measures:
      - {name: count, type: count}
      - {name: total, sql: amount, type: sum}
${measures}
${rest}
${after}`;
}

/** Mistakes that the engine compiles without a word (each verified against it): class → model, the text that is marked, code. */
const SILENT: Readonly<Record<string, readonly [Parts, string, string]>> = {
  'unknown member in the condition of a join': [{ join: '"{CUBE.id} = {users.nope}"' }, 'nope', 'late-reference'],
  'join condition that never mentions the target': [
    { join: '"{CUBE.id} = {CUBE.status}"' },
    'users',
    'join-without-target',
  ],
  "unknown reference in a cube's SQL": [{ sql: 'sql: "select * from {nope.sql()}"' }, 'nope', 'late-reference'],
  'FILTER_PARAMS of an unknown member': [
    { sql: `sql: "select * from o where {FILTER_PARAMS.orders.statis.filter('a')}"` },
    'statis',
    'late-reference',
  ],
  'unknown reference in a filter of a measure': [
    { measures: '      - {name: x, type: count, filters: [{sql: "{nope} = 1"}]}' },
    'nope',
    'late-reference',
  ],
  'unknown reference in a case': [
    { dimensions: '      - {name: x, type: string, case: {when: [{sql: "{CUBE.nope}", label: a}], else: {label: b}}}' },
    'nope',
    'late-reference',
  ],
  'unknown reference in a place': [
    { dimensions: '      - {name: x, type: geo, latitude: {sql: "{nope}"}, longitude: {sql: a}}' },
    'nope',
    'late-reference',
  ],
  'unknown reference in a mask': [
    { dimensions: '      - {name: x, type: string, sql: a, mask: {sql: "{nope}"}}' },
    'nope',
    'late-reference',
  ],
  'unknown member in a pre-aggregation': [
    { rest: '    pre_aggregations:\n      - {name: p, measures: [nope], dimensions: [status]}' },
    'nope',
    'unknown-pre-aggregation-member',
  ],
  'unknown member of a joined cube in a pre-aggregation': [
    { rest: '    pre_aggregations:\n      - {name: p, dimensions: [users.nope]}' },
    'nope',
    'unknown-pre-aggregation-member',
  ],
  'unknown rollup of a join': [
    { rest: '    pre_aggregations:\n      - {name: p, type: rollup_join, rollups: [nope.x]}' },
    'nope',
    'unknown-pre-aggregation-member',
  ],
  'granularity that does not exist': [
    {
      rest: '    pre_aggregations:\n      - {name: p, measures: [count], time_dimension: created_at, granularity: fortnight}',
    },
    'fortnight',
    'unknown-granularity',
  ],
  'unknown column in an index': [
    { rest: '    pre_aggregations:\n      - {name: p, measures: [count], indexes: [{name: i, columns: [nope]}]}' },
    'nope',
    'not-in-pre-aggregation',
  ],
  'unknown reference in the range of a build': [
    { rest: '    pre_aggregations:\n      - {name: p, measures: [count], build_range_start: {sql: "{nope}"}}' },
    'nope',
    'late-reference',
  ],
  'unknown member in an access policy': [
    { rest: '    access_policy:\n      - {group: a, member_level: {includes: [nope]}}' },
    'nope',
    'unknown-policy-member',
  ],
  'exclude of a member that does not exist': [
    { after: 'views:\n  - name: v\n    cubes:\n      - {join_path: orders, includes: "*", excludes: [nope]}' },
    'nope',
    'unknown-exclude',
  ],
  'join path without a join': [
    { after: 'views:\n  - name: v\n    cubes:\n      - {join_path: users.orders, includes: [total]}' },
    'orders',
    'no-join-path',
  ],
  'members that refer to each other in a circle': [
    { measures: '      - {name: x, type: number, sql: "{y}"}\n      - {name: y, type: number, sql: "{x}"}' },
    'x',
    'circular-reference',
  ],
  'hierarchy level that is a measure': [
    { rest: '    hierarchies:\n      - {name: h, levels: [count]}' },
    'count',
    'not-a-dimension',
  ],
  'unknown order of a rank': [
    { measures: '      - {name: x, type: rank, multi_stage: true, order_by: [{sql: "{nope}"}]}' },
    'nope',
    'late-reference',
  ],
};

describe('mistakes that the engine misses', () => {
  it.each(Object.entries(SILENT))('%s', (_, [parts, text, code]) => {
    const found = problemsOf({ 'users.yml': USERS, 'orders.yml': orders(parts) });
    expect(found.map((line) => [line.code, line.text, line.severity])).toContainEqual([code, text, 'warning']);
    expect(found.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('say nothing about the model without them', () => {
    expect(problemsOf({ 'users.yml': USERS, 'orders.yml': orders({}) })).toEqual([]);
  });
});
