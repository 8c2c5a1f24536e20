import { describe, expect, it } from 'vitest';
import { js, yaml } from '#support/language/raw.ts';
import { shopAt } from '#support/language/shop.ts';
import { completionItems, completions, hovered } from '#support/language/show.ts';

describe('beside another YAML server', () => {
  // @shows completion-of-values, other-yaml-servers
  it('leaves keys and fixed values in model folders to it', () => {
    // The fixture's root is called “model”.
    const keys = yaml`
      # file: cubes/a.yml
      cubes:
        - name: a
          sql_table: t
          d$0
    `;
    const types = yaml`
      # file: cubes/a.yml
      cubes:
        - name: a
          sql_table: t
          dimensions:
            - name: x
              type: $0
    `;
    expect(completions(keys, true)).toMatchInlineSnapshot(`nothing`);
    expect(completions(types, true)).toMatchInlineSnapshot(`nothing`);
    expect(completions(types.replace('a.yml', 'a.yml.jinja'), true)).toMatchInlineSnapshot(
      `string, number, boolean, time, geo, switch`,
    );
  });

  it('offers names of the model and time zones', () => {
    const members = yaml`
      # file: cubes/a.yml
      cubes:
        - name: a
          sql_table: t
          measures:
            - {name: m, type: count, drill_members: [$0]}
    `;
    expect(completions(members, true)).toMatchInlineSnapshot(`m, CUBE, a`);
    const zones = yaml`
      # file: cubes/a.yml
      cubes:
        - name: a
          sql_table: t
          refresh_key:
            every: 1 hour
            timezone: $0
    `;
    expect(completionItems(zones, true).map(({ label }) => label)).toContain('Europe/Berlin');
  });

  const key = (path: string): string => yaml`
    # file: ${path}
    cubes:
      - name: a
        sql_$0table: t
  `;

  // @shows other-yaml-servers
  it('leaves it to that one to explain keys in model folders', () => {
    expect(hovered(key('cubes/a.yml'), true)).toMatchInlineSnapshot(`nothing`);
    expect(hovered(key('cubes/a.yml'), false)).toMatchInlineSnapshot(`
      **sql_table** · Cube · SQL

      The table (or a qualified or quoted name). One of \`sql_table\` and \`sql\`.
    `);
    expect(hovered(key('cubes/a.yml.jinja'), true)).toMatchInlineSnapshot(`
      **sql_table** · Cube · SQL

      The table (or a qualified or quoted name). One of \`sql_table\` and \`sql\`.
    `);
  });

  it('explains names of the model', () => {
    const name = yaml`
      # file: cubes/a.yml
      cubes:
        - name: $0a
          sql_table: t
    `;
    expect(hovered(name, true)).toMatchInlineSnapshot(`
      **a** · cube

      0 measures, 0 dimensions, 0 segments

      \`\`\`sql
      t
      \`\`\`

      Defined in a.yml
    `);
  });
});

describe('completion of the key of a dimension', () => {
  it('offers dimensions as the engine reads them', () => {
    const text = yaml`
      cubes:
        - name: a
          sql_table: t
          dimensions:
            - {name: id, sql: id, type: number}
            - name: x
              sql: x
              type: string
              key: $0
          measures:
            - {name: m, type: count}
    `;
    expect(completions(text)).toMatchInlineSnapshot(`CUBE.id, CUBE.x`);
  });
});

describe('completion of keys', () => {
  // @shows snippets
  it('offers sections at the top', () => {
    expect(completions('$0')).toMatchInlineSnapshot(`cubes, views, view_groups, cube, view`);
  });

  // @shows completion-of-keys
  it('offers what a cube may still have', () => {
    const text = yaml`
      cubes:
        - name: a
          sql_table: t
          $0
    `;
    expect(completions(text)).toMatchInlineSnapshot(`
      joins, dimensions, measures, segments, hierarchies, pre_aggregations, extends, title, description,
      meta, public, sql_alias, data_source, refresh_key, access_policy, calendar
    `);
  });

  // @shows completion-of-keys
  it('puts what is required first', () => {
    const measure = yaml`
      cubes:
        - name: a
          sql_table: t
          measures:
            - name: x
              $0
    `;
    expect(completions(measure)).toMatchInlineSnapshot(`
      type, sql, filters, title, description, meta, public, format, currency, rolling_window,
      drill_members, drill_filters, mask, multi_stage
    `);
    const join = yaml`
      cubes:
        - name: a
          sql_table: t
          joins:
            - name: x
              $0
    `;
    expect(completions(join)).toMatchInlineSnapshot(`relationship, sql`);
  });

  // @shows broken-input
  it('works on a half-typed key, below a broken line', () => {
    const text = yaml`
      cubes:
        - name: a
          sql_table: t
          dimensions:
            - name: x
              sql: "open
              ty$0
    `;
    expect(completions(text)).toMatchInlineSnapshot(`
      type, primary_key, title, description, meta, public, format, currency, longitude, sub_query,
      propagate_filters_to_sub_query, granularities, time_shift, key, order, mask, links, values,
      multi_stage, add_group_by, filter, suggest_filter_values
    `);
  });

  // @shows completion-of-keys
  it('works inside flow mappings', () => {
    const text = yaml`
      cubes:
        - name: a
          sql_table: t
          dimensions:
            - {name: x, $0}
    `;
    expect(completions(text)).toMatchInlineSnapshot(`
      type, sql, primary_key, title, description, meta, public, format, currency, case, latitude,
      longitude, sub_query, propagate_filters_to_sub_query, granularities, time_shift, key, order, mask,
      links, values, multi_stage, add_group_by, filter, suggest_filter_values
    `);
  });

  // @shows snippets
  it('offers whole definitions where one starts', () => {
    const text = yaml`
      cubes:
        - name: a
          sql_table: t
          measures:
            - $0
    `;
    expect(completions(text)).toMatchInlineSnapshot(`
      name, type, sql, filters, title, description, meta, public, format, currency, rolling_window,
      drill_members, drill_filters, mask, multi_stage, measure, ratio
    `);
  });

  // @shows completion-of-keys
  it('reaches nested shapes', () => {
    const text = yaml`
      cubes:
        - name: a
          sql_table: t
          access_policy:
            - group: x
              row_level:
                filters:
                  - member: y
                    $0
    `;
    expect(completions(text)).toMatchInlineSnapshot(`operator, values`);
  });

  it('works where a list stands at the column of its key', () => {
    const text = yaml`
      cubes:
      - name: a
        dimensions:
        - name: x
          $0
    `;
    expect(completions(text)).toMatchInlineSnapshot(`
      type, sql, primary_key, title, description, meta, public, format, currency, case, latitude,
      longitude, sub_query, propagate_filters_to_sub_query, granularities, time_shift, key, order, mask,
      links, values, multi_stage, add_group_by, filter, suggest_filter_values
    `);
  });
});

describe('completion of values', () => {
  // @shows completion-of-values
  it('offers the values of an enumeration', () => {
    const measure = yaml`
      cubes:
        - name: a
          sql_table: t
          measures:
            - name: x
              type: $0
    `;
    expect(completions(measure)).toMatchInlineSnapshot(`
      count, count_distinct, count_distinct_approx, sum, avg, min, max, number, string, time, boolean,
      number_agg, rank
    `);
    const join = yaml`
      cubes:
        - name: a
          sql_table: t
          joins:
            - {name: x, relationship: $0}
    `;
    expect(completions(join)).toMatchInlineSnapshot(`many_to_one, one_to_many, one_to_one`);
  });

  // @shows completion-of-members
  it('offers members and what can be reached inside braces', () => {
    expect(completions(shopAt('cubes/orders.yml', '{', 'total} /'))).toMatchInlineSnapshot(`
      CUBE, count, total, created_at, id, status, user_id, users, FILTER_PARAMS, FILTER_GROUP,
      SECURITY_CONTEXT, SQL_UTILS, COMPILE_CONTEXT, orders
    `);
  });

  // @shows completion-of-members
  it('says the kind and type of a member in each row of the list', () => {
    const items = completionItems(shopAt('cubes/orders.yml', 'drill_members: [id, status, users.'));
    expect(items.map(({ label, detail, labelDetails }) => [label, detail, labelDetails?.description]))
      .toMatchInlineSnapshot(`
      [
        [
          "city",
          "dimension · string",
          "dimension · string",
        ],
        [
          "id",
          "dimension · number",
          "dimension · number",
        ],
        [
          "count",
          "measure · count",
          "measure · count",
        ],
      ]
    `);
  });

  // @shows completion-of-members
  it('offers the members of a cube behind its dot', () => {
    expect(completions(shopAt('cubes/orders.yml', '{users.', 'id}'))).toMatchInlineSnapshot(`city, id`);
    expect(completions(shopAt('cubes/orders.yml', '{CUBE.', 'count}'))).toMatchInlineSnapshot(
      `count, total, created_at, id, status, user_id, users`,
    );
  });

  // @shows completion-of-values
  it('offers granularities of a time dimension, its own included', () => {
    expect(completions(shopAt('cubes/orders.yml', 'granularity: ', 'day'))).toMatchInlineSnapshot(
      `second, minute, hour, day, week, month, quarter, year, fiscal_year`,
    );
    const text = yaml`
      cubes:
        - name: a
          sql_table: t
          dimensions:
            - {name: at, sql: at, type: time}
            - {name: x, type: string, sql: "{at.$0}"}
    `;
    expect(completions(text)).toMatchInlineSnapshot(`second, minute, hour, day, week, month, quarter, year`);
  });

  // @shows completion-of-members, completion-in-views
  it('offers members of the included cube, and join paths that exist', () => {
    expect(completions(shopAt('views/shop.yml', 'includes: [', 'city]'))).toMatchInlineSnapshot(`city, count, id`);
    expect(completions(shopAt('views/shop.yml', 'join_path: orders.', 'users'))).toMatchInlineSnapshot(`users`);
    expect(completions(shopAt('views/shop.yml', '          - ', 'count'))).toMatchInlineSnapshot(`
      average, count, created_at, id, status, total, user_id, name, alias, title, description, format,
      meta
    `);
  });

  // @shows completion-in-views
  it('offers members of the view in its folders', () => {
    expect(completions(shopAt('views/shop.yml', 'includes: [', 'users_city'))).toMatchInlineSnapshot(
      `count, revenue, status, users_city`,
    );
  });

  // @shows completion-of-members
  it('offers only measures where measures belong', () => {
    expect(completions(shopAt('cubes/orders.yml', 'measures: [', 'count'))).toMatchInlineSnapshot(
      `average, count, total, CUBE, users, orders`,
    );
  });

  // @shows completion-of-members
  it('offers cubes to join to and to extend', () => {
    expect(completions(shopAt('cubes/orders.yml', '- name: ', 'users'))).toMatchInlineSnapshot(`users`);
    const text = yaml`
      cubes:
        - name: a
          sql_table: t
        - name: b
          extends: $0
    `;
    expect(completions(text)).toMatchInlineSnapshot(`a`);
  });

  // @shows scripts
  it('offers members in templates of JavaScript', () => {
    const text = js`
      // file: a.js
      cube(\`a\`, {
        sql: \`select 1\`,
        measures: { n: { type: \`count\` }, m: { type: \`number\`, sql: \`\${$0}\` } },
      });
    `;
    expect(completions(text)).toMatchInlineSnapshot(
      `CUBE, n, FILTER_PARAMS, FILTER_GROUP, SECURITY_CONTEXT, SQL_UTILS, COMPILE_CONTEXT, a`,
    );
  });

  it('offers nothing in plain text', () => {
    const text = yaml`
      cubes:
        - name: a
          sql_table: t
          description: a {$0
    `;
    expect(completions(text)).toMatchInlineSnapshot(`nothing`);
  });
});
