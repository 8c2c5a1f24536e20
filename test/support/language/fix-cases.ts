import { js, yaml } from './raw.ts';

/** Returns a cube with more lines after its table. */
const cube = (rest: string): string => yaml`
  cubes:
    - name: orders
      sql_table: orders
      ${rest}
`;

/** Returns a cube with a join, and more lines after it. */
const joined = (rest: string): string => yaml`
  cubes:
    - name: orders
      sql_table: orders
      joins:
        - {name: users, relationship: many_to_one, sql: "{CUBE}.user_id = {users.id}"}
      dimensions:
        - {name: id, sql: id, type: number, primary_key: true}
        - {name: created_at, sql: created_at, type: time}
        - {name: status, sql: status, type: string}
      measures:
        - {name: count, type: count}
        ${rest}
    - name: users
      sql_table: users
      dimensions:
        - {name: id, sql: id, type: number, primary_key: true}
        - {name: city, sql: "{CUBE}.city", type: string}
`;

/** Returns a rollup of orders by day, with these keys. */
const rollup = (...keys: readonly string[]): string =>
  cube(yaml`
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: created_at, sql: created_at, type: time}
      - {name: status, sql: status, type: string}
    measures:
      - {name: count, type: count}
    pre_aggregations:
      - name: by_day
        time_dimension: created_at
        ${keys.join('\n')}
  `);

/** Models with mistakes that the pages of the diagnostics do not show, for each kind of quick fix without a page. */
export const FIX_CASES: Readonly<Record<string, string>> = {
  'a tab between spaces':
    'cubes:\n  - name: orders\n    sql_table: t\n    measures:\n\t  - name: c\n\t    type: count\n',
  'a role': cube('access_policy: [{role: admin, row_level: {allow_all: true}}]'),
  'a key that nobody knows': cube('owner: team'),
  'a misspelt key': cube('titel: Orders'),
  'a misspelt section': 'cube:\n  - name: orders\n    sql_table: orders\n',
  'joins in a dimension': cube(yaml`
    dimensions:
      - name: id
        sql: id
        joins:
          # They are many.
          - name: orders
            relationship: one_to_one
            sql: "{CUBE}.id = {orders}.id"
        type: number
        primary_key: true
    measures:
      - {name: count, type: count}
  `),
  'two lists of measures': cube(yaml`
    measures:
      - name: count
        type: count
    # Money
    measures:
    - name: revenue
      sql: amount
      type: sum
  `),
  'a number as a title': cube('title: 2024'),
  'SQL as text in an object': js`
    // file: orders.js
    const more = { sql: \`\${CUBE}.x\`, type: \`string\` };
    cube(\`orders\`, { sql_table: \`orders\`, dimensions: { x: more } });
  `,
  'a parent in quotes': js`
    // file: orders.js
    cube(\`base\`, { sql_table: \`orders\` });
    cube(\`orders\`, { extends: \`base\` });
  `,
  'a misspelt value': cube('measures: [{name: total, sql: x, type: summ}]'),
  'braces in double quotes': cube('description: "Of {one} kind"'),
  'braces in single quotes': cube("description: 'Of {one} kind'"),
  'braces without quotes': cube('description: Of {one} kind'),
  'empty braces': cube('description: "Of {} kind"'),
  'a bare mask': cube('dimensions: [{name: id, sql: id, type: string, mask: hidden}]'),
  'two measures of one name': joined('- {name: count, sql: id, type: count_distinct}'),
  'two cubes of one name': `${cube('')}  - name: orders\n    sql_table: others\n`,
  'two granularities of one name': cube(yaml`
    dimensions:
      - name: created_at
        sql: created_at
        type: time
        granularities:
          - {name: half, interval: 6 months}
          - {name: half, interval: 2 quarters}
  `),
  'a missing member': joined('- {name: paid, sql: "{amount}", type: sum}'),
  'a misspelt member': joined('- {name: paid, sql: "{statsu}", type: max}'),
  'a missing cube': cube('joins: [{name: shops, relationship: many_to_one, sql: "{CUBE}.shop = {shops}.id"}]'),
  'a missing parent': cube('extends: base_ordres'),
  'a column of another cube': joined('- {name: cities, sql: "{users}.city", type: count_distinct}'),
  'a misspelt granularity': rollup('measures: [count]', 'granularity: dayy'),
  'a misspelt measure of a rollup': rollup('measures: [cuont]', 'granularity: day'),
  'unknown members of a rollup': rollup(
    'measures: [revenue]',
    'granularity: day',
    'dimensions: [kind]',
    'segments: [paid]',
  ),
  'an index on a misspelt column': rollup(
    'measures: [count]',
    'dimensions: [status]',
    'granularity: day',
    'indexes: [{name: by_status, columns: [statsu]}]',
  ),
  'a joined cube with a dimension like a key': yaml`
    cubes:
      - name: orders
        sql_table: orders
        joins:
          - {name: users, relationship: many_to_one, sql: "{CUBE}.user_id = {users}.id"}
        dimensions:
          - {name: id, sql: id, type: number, primary_key: true}
        measures:
          - {name: count, type: count}
      - name: users
        sql_table: users
        dimensions:
          - {name: id, sql: id, type: number}
        measures:
          - {name: count, type: count}
  `,
};
