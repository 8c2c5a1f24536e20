import { describe, expect, it } from 'vitest';
import type { Drawn } from '#support/language/drawn.ts';
import { fixture } from '#support/language/model.ts';
import { yaml } from '#support/language/raw.ts';
import { completionItems, completions } from '#support/language/show.ts';
import { placed, type Slots } from '#support/language/slots.ts';

/** All that is offered, with the most likely first; each item replaces the word that is there. */
function offered(slots: Slots): Drawn {
  const model = placed(slots);
  const { opened, offset } = fixture(model);
  const { text } = opened.file;
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  for (const { textEdit } of completionItems(model)) {
    if (!textEdit || !('range' in textEdit)) continue;
    const { start, end } = textEdit.range;
    expect(end.character).toBe(offset - lineStart);
    expect(text.slice(lineStart + start.character, offset)).toMatch(/^\w*$/);
  }
  return completions(model);
}

describe('completion', () => {
  it('offers the type of a new dimension', () => {
    expect(
      offered({
        dimension: yaml`
          - name: x
            $0
        `,
      }),
    ).toMatchInlineSnapshot(`
      type, sql, primary_key, title, description, meta, public, format, currency, case, latitude,
      longitude, sub_query, propagate_filters_to_sub_query, granularities, time_shift, key, order, mask,
      links, values, multi_stage, add_group_by, filter, suggest_filter_values
    `);
  });

  it('offers the type of a dimension that has SQL', () => {
    expect(
      offered({
        dimension: yaml`
          - name: x
            sql: x
            $0
        `,
      }),
    ).toMatchInlineSnapshot(`
      type, primary_key, title, description, meta, public, format, currency, longitude, sub_query,
      propagate_filters_to_sub_query, granularities, time_shift, key, order, mask, links, values,
      multi_stage, add_group_by, filter, suggest_filter_values
    `);
  });

  it('offers SQL for a measure whose type needs it', () => {
    expect(
      offered({
        measure: yaml`
          - name: x
            type: sum
            $0
        `,
      }),
    ).toMatchInlineSnapshot(`
      sql, filters, title, description, meta, public, format, currency, rolling_window, drill_members,
      drill_filters, mask, multi_stage
    `);
  });

  it('offers what a count can have', () => {
    expect(
      offered({
        measure: yaml`
          - name: x
            type: count
            $0
        `,
      }),
    ).toMatchInlineSnapshot(`
      sql, filters, title, description, meta, public, format, currency, rolling_window, drill_members,
      drill_filters, mask, multi_stage
    `);
  });

  it('offers relationships of a join', () => {
    expect(
      offered({
        join: yaml`
          - name: users
            relationship: $0
        `,
      }),
    ).toMatchInlineSnapshot(`many_to_one, one_to_many, one_to_one`);
  });

  it('offers keys of a join', () => {
    expect(
      offered({
        join: yaml`
          - name: users
            $0
        `,
      }),
    ).toMatchInlineSnapshot(`relationship, sql`);
  });

  it('offers cubes to join to', () => {
    expect(offered({ join: '- {name: $0' })).toMatchInlineSnapshot(`users`);
  });

  it('offers types of a measure', () => {
    expect(
      offered({
        measure: yaml`
          - name: x
            type: $0
        `,
      }),
    ).toMatchInlineSnapshot(`
      count, count_distinct, count_distinct_approx, sum, avg, min, max, number, string, time, boolean,
      number_agg, rank
    `);
  });

  it('offers types for half a word', () => {
    expect(
      offered({
        measure: yaml`
          - name: x
            type: cou$0
        `,
      }),
    ).toMatchInlineSnapshot(`
      count, count_distinct, count_distinct_approx, sum, avg, min, max, number, string, time, boolean,
      number_agg, rank
    `);
  });

  it('offers true and false', () => {
    expect(
      offered({
        dimension: yaml`
          - name: x
            primary_key: $0
        `,
      }),
    ).toMatchInlineSnapshot(`false, true`);
  });

  it('offers what SQL can refer to', () => {
    expect(offered({ measure: '- {name: x, type: number, sql: "{$0}"}' })).toMatchInlineSnapshot(`
      CUBE, count, total, created_at, id, status, s, users, FILTER_PARAMS, FILTER_GROUP, SECURITY_CONTEXT,
      SQL_UTILS, COMPILE_CONTEXT, orders
    `);
  });

  it('offers members behind CUBE in SQL', () => {
    expect(offered({ measure: '- {name: x, type: number, sql: "{CUBE.$0}"}' })).toMatchInlineSnapshot(
      `count, total, created_at, id, status, s, users`,
    );
  });

  it('offers members behind a joined cube in SQL', () => {
    expect(offered({ measure: '- {name: x, type: number, sql: "{users.$0}"}' })).toMatchInlineSnapshot(
      `ucount, city, id`,
    );
  });

  it('offers granularities behind a time dimension in SQL', () => {
    expect(offered({ dimension: '- {name: x, type: string, sql: "{created_at.$0}"}' })).toMatchInlineSnapshot(
      `second, minute, hour, day, week, month, quarter, year`,
    );
  });

  it('offers members to drill into', () => {
    expect(offered({ measure: '- {name: x, type: count, drill_members: [$0]}' })).toMatchInlineSnapshot(
      `created_at, id, status, count, total, x, CUBE, users, orders`,
    );
  });

  it('offers dimensions as levels of a hierarchy', () => {
    expect(offered({ hierarchy: '- {name: x, levels: [$0]}' })).toMatchInlineSnapshot(
      `created_at, id, status, CUBE, users, orders`,
    );
  });

  it('offers measures of a pre-aggregation', () => {
    expect(offered({ preAggregation: '- {name: x, measures: [$0]}' })).toMatchInlineSnapshot(
      `count, total, CUBE, users, orders`,
    );
  });

  it('offers time dimensions of a pre-aggregation', () => {
    expect(offered({ preAggregation: '- {name: x, measures: [count], time_dimension: $0}' })).toMatchInlineSnapshot(
      `created_at, CUBE, users, orders`,
    );
  });

  it('offers granularities of a pre-aggregation', () => {
    expect(offered({ preAggregation: '- {name: x, granularity: $0}' })).toMatchInlineSnapshot(
      `second, minute, hour, day, week, month, quarter, year`,
    );
  });

  it('offers types of a pre-aggregation', () => {
    expect(
      offered({
        preAggregation: yaml`
          - name: x
            type: $0
        `,
      }),
    ).toMatchInlineSnapshot(`rollup, original_sql, rollup_join, rollup_lambda`);
  });

  it('offers the granularity that a time dimension needs', () => {
    expect(
      offered({
        preAggregation: yaml`
          - name: x
            time_dimension: created_at
            $0
        `,
      }),
    ).toMatchInlineSnapshot(`
      granularity, measures, dimensions, segments, type, partition_granularity, refresh_key,
      build_range_start, build_range_end, indexes, unique_key_columns, external, scheduled_refresh,
      read_only, use_original_sql_pre_aggregations, allow_non_strict_date_range_match, sql_alias,
      stream_offset, output_column_types
    `);
  });

  it('offers members that a policy shows', () => {
    expect(offered({ policy: '- {group: g, member_level: {includes: [$0]}}' })).toMatchInlineSnapshot(
      `count, created_at, id, s, status, total`,
    );
  });

  it('offers members of a row filter', () => {
    expect(offered({ policy: '- {group: g, row_level: {filters: [{member: $0}]}}' })).toMatchInlineSnapshot(
      `created_at, id, status, count, total`,
    );
  });

  it('offers operators of a row filter', () => {
    expect(offered({ policy: '- {group: g, row_level: {filters: [{operator: $0}]}}' })).toMatchInlineSnapshot(`
      equals, notEquals, contains, notContains, startsWith, notStartsWith, endsWith, notEndsWith, in,
      notIn, gt, gte, lt, lte, set, notSet, inDateRange, notInDateRange, onTheDate, beforeDate,
      beforeOrOnDate, afterDate, afterOrOnDate, measureFilter
    `);
  });

  it('offers the missing keys of a row filter', () => {
    expect(offered({ policy: '- {group: g, row_level: {filters: [{member: id, $0}]}}' })).toMatchInlineSnapshot(
      `operator, values`,
    );
  });

  it('offers cubes of a view', () => {
    expect(offered({ viewCube: '- {join_path: $0' })).toMatchInlineSnapshot(`orders, users, v`);
  });

  it('offers cubes further on a join path', () => {
    expect(offered({ viewCube: '- {join_path: orders.$0' })).toMatchInlineSnapshot(`users`);
  });

  it('offers members that a view includes', () => {
    expect(offered({ viewCube: '- {join_path: orders.users, includes: [$0]}' })).toMatchInlineSnapshot(
      `city, id, ucount`,
    );
  });

  it('offers members that a view excludes', () => {
    expect(offered({ viewCube: '- {join_path: orders.users, includes: "*", excludes: [$0]}' })).toMatchInlineSnapshot(
      `city, id, ucount`,
    );
  });

  it('offers keys of a cube in a view', () => {
    expect(
      offered({
        viewCube: yaml`
          - join_path: users
            $0
        `,
      }),
    ).toMatchInlineSnapshot(`includes, excludes, prefix, alias, split`);
  });

  it('offers cubes to extend', () => {
    expect(
      offered({
        users: yaml`
          sql_table: users
          extends: $0
        `,
      }),
    ).toMatchInlineSnapshot(`orders`);
  });

  it('offers keys below a broken line', () => {
    expect(
      offered({
        measure: yaml`
          - name: "x
            ty$0
        `,
      }),
    ).toMatchInlineSnapshot(`
      type, sql, filters, title, description, meta, public, format, currency, rolling_window,
      drill_members, drill_filters, mask, multi_stage
    `);
  });

  it('offers formats of an included member', () => {
    expect(offered({ viewCube: '- {join_path: users, includes: [{name: city, format: $0}]}' })).toMatchInlineSnapshot(
      `percent, currency, number, link, imageUrl, id`,
    );
  });

  it.each(['&text |', '!!str >-', '&text !!str |2', '|+', '| # SQL'])(
    'offers members in a block of text: %s',
    (header) => {
      const items = completionItems(
        placed({ measure: `- name: x\n  type: number\n  sql: ${header}\n    MAX({CUBE.$0})` }),
      );
      expect(items.map(({ label }) => label)).toContain('status');
    },
  );
});
