import { describe, expect, it } from 'vitest';
import { yaml } from '#support/language/raw.ts';
import { problems } from '#support/language/show.ts';

interface Parts {
  readonly join?: string;
  readonly sql?: string;
  readonly dimensions?: string;
  readonly measures?: string;
  readonly rest?: string;
  readonly after?: string;
}

const model = ({
  join = '"{CUBE.id} = {users.id}"',
  sql = 'sql_table: orders',
  dimensions = '',
  measures = '',
  rest = '',
  after = '',
}: Parts): string => yaml`
  # file: users.yml
  cubes:
    - name: users
      sql_table: users
      dimensions:
        - {name: id, sql: id, type: number, primary_key: true}
        - {name: city, sql: city, type: string}
      measures:
        - {name: count, type: count}
  # file: orders.yml
  cubes:
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
  ${after}
`;

/** Mistakes that the engine compiles without a word (each verified against it). */
describe('checking what the engine misses', () => {
  // @shows diagnostics, silent-mistakes
  it('reports an unknown member in the condition of a join', () => {
    expect(problems(model({ join: '"{CUBE.id} = {users.nope}"' }))).toMatchInlineSnapshot(`
      orders.yml
      5       - {name: users, relationship: many_to_one, sql: "{CUBE.id} = {users.nope}"}
                                                                                  ~~~~ warning late-reference: \`users\` has no member \`nope\`.
    `);
  });

  // @shows diagnostics, silent-mistakes
  it('reports a join condition that never mentions the target', () => {
    expect(problems(model({ join: '"{CUBE.id} = {CUBE.status}"' }))).toMatchInlineSnapshot(`
      orders.yml
      5       - {name: users, relationship: many_to_one, sql: "{CUBE.id} = {CUBE.status}"}
                       ~~~~~ warning join-without-target: The condition of this join never mentions \`users\`: every row would match every row.
    `);
  });

  // @shows diagnostics, silent-mistakes
  it("reports an unknown reference in a cube's SQL", () => {
    expect(problems(model({ sql: 'sql: "select * from {nope.sql()}"' }))).toMatchInlineSnapshot(`
      orders.yml
      3     sql: "select * from {nope.sql()}"
                                 ~~~~ warning late-reference: \`nope\` is neither a cube nor a member of \`orders\`.
    `);
  });

  // @shows diagnostics, silent-mistakes
  it('reports FILTER_PARAMS of an unknown member', () => {
    expect(problems(model({ sql: `sql: "select * from o where {FILTER_PARAMS.orders.statis.filter('a')}"` })))
      .toMatchInlineSnapshot(`
      orders.yml
      3     sql: "select * from o where {FILTER_PARAMS.orders.statis.filter('a')}"
                                                              ~~~~~~ warning late-reference: \`orders\` has no member \`statis\`. Did you mean \`status\`?
    `);
  });

  // @shows diagnostics, silent-mistakes
  it('reports an unknown reference in a filter of a measure', () => {
    expect(problems(model({ measures: '- {name: x, type: count, filters: [{sql: "{nope} = 1"}]}' })))
      .toMatchInlineSnapshot(`
      orders.yml
      14       - {name: x, type: count, filters: [{sql: "{nope} = 1"}]}
                                                          ~~~~ warning late-reference: \`nope\` is neither a cube nor a member of \`orders\`.
    `);
  });

  // @shows diagnostics, silent-mistakes
  it('reports an unknown reference in a case', () => {
    expect(
      problems(
        model({
          dimensions: '- {name: x, type: string, case: {when: [{sql: "{CUBE.nope}", label: a}], else: {label: b}}}',
        }),
      ),
    ).toMatchInlineSnapshot(`
      orders.yml
      10       - {name: x, type: string, case: {when: [{sql: "{CUBE.nope}", label: a}], else: {label: b}}}
                                                                    ~~~~ warning late-reference: \`orders\` has no member \`nope\`.
    `);
  });

  // @shows diagnostics, silent-mistakes
  it('reports an unknown reference in a place', () => {
    expect(problems(model({ dimensions: '- {name: x, type: geo, latitude: {sql: "{nope}"}, longitude: {sql: a}}' })))
      .toMatchInlineSnapshot(`
      orders.yml
      10       - {name: x, type: geo, latitude: {sql: "{nope}"}, longitude: {sql: a}}
                                                        ~~~~ warning late-reference: \`nope\` is neither a cube nor a member of \`orders\`.
    `);
  });

  // @shows diagnostics, silent-mistakes
  it('reports an unknown reference in a mask', () => {
    expect(problems(model({ dimensions: '- {name: x, type: string, sql: a, mask: {sql: "{nope}"}}' })))
      .toMatchInlineSnapshot(`
      orders.yml
      10       - {name: x, type: string, sql: a, mask: {sql: "{nope}"}}
                                                               ~~~~ warning late-reference: \`nope\` is neither a cube nor a member of \`orders\`.
    `);
  });

  // @shows diagnostics, silent-mistakes
  it('reports an unknown member in a pre-aggregation', () => {
    expect(
      problems(
        model({
          rest: yaml`
            pre_aggregations:
              - {name: p, measures: [nope], dimensions: [status]}
          `,
        }),
      ),
    ).toMatchInlineSnapshot(`
      orders.yml
      16       - {name: p, measures: [nope], dimensions: [status]}
                                      ~~~~ warning unknown-pre-aggregation-member: \`nope\` is neither a cube nor a member of \`orders\`.
    `);
  });

  // @shows diagnostics, silent-mistakes
  it('reports an unknown member of a joined cube in a pre-aggregation', () => {
    expect(
      problems(
        model({
          rest: yaml`
            pre_aggregations:
              - {name: p, dimensions: [users.nope]}
          `,
        }),
      ),
    ).toMatchInlineSnapshot(`
      orders.yml
      16       - {name: p, dimensions: [users.nope]}
                                              ~~~~ warning unknown-pre-aggregation-member: \`users\` has no member \`nope\`.
    `);
  });

  // @shows diagnostics, silent-mistakes
  it('reports an unknown rollup of a join', () => {
    expect(
      problems(
        model({
          rest: yaml`
            pre_aggregations:
              - {name: p, type: rollup_join, rollups: [nope.x]}
          `,
        }),
      ),
    ).toMatchInlineSnapshot(`
      orders.yml
      16       - {name: p, type: rollup_join, rollups: [nope.x]}
                                                        ~~~~ warning unknown-pre-aggregation-member: \`nope\` is neither a cube nor a member of \`orders\`.
    `);
  });

  // @shows diagnostics, silent-mistakes
  it('reports a granularity that does not exist', () => {
    expect(
      problems(
        model({
          rest: yaml`
            pre_aggregations:
              - {name: p, measures: [count], time_dimension: created_at, granularity: fortnight}
          `,
        }),
      ),
    ).toMatchInlineSnapshot(`
      orders.yml
      16       - {name: p, measures: [count], time_dimension: created_at, granularity: fortnight}
                                                                                       ~~~~~~~~~ warning unknown-granularity: \`fortnight\` is not a granularity of \`created_at\`.
    `);
  });

  // @shows diagnostics, silent-mistakes
  it('reports an unknown column in an index', () => {
    expect(
      problems(
        model({
          rest: yaml`
            pre_aggregations:
              - {name: p, measures: [count], indexes: [{name: i, columns: [nope]}]}
          `,
        }),
      ),
    ).toMatchInlineSnapshot(`
      orders.yml
      16       - {name: p, measures: [count], indexes: [{name: i, columns: [nope]}]}
                                                                            ~~~~ warning not-in-pre-aggregation: \`nope\` is neither a cube nor a member of \`orders\`.
    `);
  });

  // @shows diagnostics, silent-mistakes
  it('reports an unknown reference in the range of a build', () => {
    expect(
      problems(
        model({
          rest: yaml`
            pre_aggregations:
              - {name: p, measures: [count], build_range_start: {sql: "{nope}"}}
          `,
        }),
      ),
    ).toMatchInlineSnapshot(`
      orders.yml
      16       - {name: p, measures: [count], build_range_start: {sql: "{nope}"}}
                                                                         ~~~~ warning late-reference: \`nope\` is neither a cube nor a member of \`orders\`.
    `);
  });

  // @shows diagnostics, silent-mistakes
  it('reports an unknown member in an access policy', () => {
    expect(
      problems(
        model({
          rest: yaml`
            access_policy:
              - {group: a, member_level: {includes: [nope]}}
          `,
        }),
      ),
    ).toMatchInlineSnapshot(`
      orders.yml
      16       - {group: a, member_level: {includes: [nope]}}
                                                      ~~~~ warning unknown-policy-member: \`orders\` has no member \`nope\`.
    `);
  });

  // @shows diagnostics, silent-mistakes
  it('reports an exclude of a member that does not exist', () => {
    expect(
      problems(
        model({
          after: yaml`
            views:
              - name: v
                cubes:
                  - {join_path: orders, includes: "*", excludes: [nope]}
          `,
        }),
      ),
    ).toMatchInlineSnapshot(`
      orders.yml
      19       - {join_path: orders, includes: "*", excludes: [nope]}
                                                               ~~~~ warning unknown-exclude: \`orders\` has no member \`nope\`.
    `);
  });

  // @shows diagnostics, silent-mistakes
  it('reports a join path without a join', () => {
    expect(
      problems(
        model({
          after: yaml`
            views:
              - name: v
                cubes:
                  - {join_path: users.orders, includes: [total]}
          `,
        }),
      ),
    ).toMatchInlineSnapshot(`
      orders.yml
      19       - {join_path: users.orders, includes: [total]}
                                   ~~~~~~ warning no-join-path: \`users\` declares no join to \`orders\`: queries of this view fail.
    `);
  });

  // @shows diagnostics, silent-mistakes
  it('reports members that refer to each other in a circle', () => {
    expect(
      problems(
        model({
          measures: yaml`
            - {name: x, type: number, sql: "{y}"}
            - {name: y, type: number, sql: "{x}"}
          `,
        }),
      ),
    ).toMatchInlineSnapshot(`
      orders.yml
      14       - {name: x, type: number, sql: "{y}"}
                                                ~ warning circular-reference: This reference is circular: y → x → y. Queries of these members fail.
      15       - {name: y, type: number, sql: "{x}"}
                                                ~ warning circular-reference: This reference is circular: x → y → x. Queries of these members fail.
    `);
  });

  // @shows diagnostics, silent-mistakes
  it('reports a hierarchy level that is a measure', () => {
    expect(
      problems(
        model({
          rest: yaml`
            hierarchies:
              - {name: h, levels: [count]}
          `,
        }),
      ),
    ).toMatchInlineSnapshot(`
      orders.yml
      16       - {name: h, levels: [count]}
                                    ~~~~~ warning not-a-dimension: \`count\` is a measure: only dimensions can be levels.
    `);
  });

  // @shows diagnostics, silent-mistakes
  it('reports an unknown order of a rank', () => {
    expect(problems(model({ measures: '- {name: x, type: rank, multi_stage: true, order_by: [{sql: "{nope}"}]}' })))
      .toMatchInlineSnapshot(`
      orders.yml
      14       - {name: x, type: rank, multi_stage: true, order_by: [{sql: "{nope}"}]}
                                                                             ~~~~ warning late-reference: \`nope\` is neither a cube nor a member of \`orders\`.
    `);
  });

  // @shows silent-mistakes
  it('reports nothing about the model without them', () => {
    expect(problems(model({}))).toMatchInlineSnapshot(`nothing`);
  });
});
