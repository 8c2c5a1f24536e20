/** Files that answers are about. */
export const files: Readonly<Record<string, string>> = {
  'model/cubes/orders.yml': `# Owned by the sales team.
cubes:
  - name: orders
    sql_table: public.orders
    title: Orders

    joins:
      - name: customers
        relationship: many_to_one
        sql: "{CUBE}.customer_id = {customers.id}"

    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
      # What the warehouse calls it.
      - name: status
        sql: status
        type: string
        description: Where the order is.

    measures:
      - name: count
        type: count
      - name: total # gross
        sql: amount
        type: sum
        title: Total
        format: currency
        filters:
          - sql: "{CUBE}.status = 'paid'"

    pre_aggregations:
      - name: daily
        measures: [count]
        time_dimension: created_at
        granularity: day
`,
  'model/cubes/shop.yml': `cubes:
  - name: stores
    sql_table: stores

    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true

      - name: city
        sql: city
        type: string

    measures:
      - name: count
        type: count

  - name: suppliers
    sql_table: suppliers
    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
    measures:
      - name: supplier_count
        type: count
`,
  'model/views/sales.yml': `views:
  - name: sales
    cubes:
      - join_path: orders
        includes:
          - count
          - total
      - join_path: orders.customers
        prefix: true
        includes: [name, city]
`,
  'model/cubes/returns.js': `// Goods that came back.
cube(\`returns\`, {
  sql_table: \`public.returns\`,

  joins: {
    orders: {
      relationship: \`many_to_one\`,
      sql: \`\${CUBE}.order_id = \${orders}.id\`,
    },
  },

  dimensions: {
    id: { sql: \`id\`, type: \`number\`, primary_key: true },
    reason: {
      sql: \`reason\`,
      type: \`string\`, // free text
    },
  },

  measures: {
    count: {
      type: \`count\`,
    }
  },
});
`,
  'model/cubes/stores.yml.jinja': `cubes:
  - name: stores
    sql_table: stores
    measures:
      - name: count
        type: count
{%- for city in cities() %}
      - name: count_{{ city }}
        type: count
{%- endfor %}
`,
};

/** What is expected of a file: its whole new text, a quotation, or a draft with a reason like this. */
export type Expected =
  | { readonly becomes: (text: string) => string }
  | 'quote'
  | { readonly draft: RegExp }
  | { readonly creates: RegExp };

export interface Answer {
  readonly name: string;
  readonly path: string;
  readonly markdown: string;
  readonly expected: Expected;
}

const ORDERS = 'model/cubes/orders.yml';
const SHOP = 'model/cubes/shop.yml';
const SALES = 'model/views/sales.yml';
const RETURNS = 'model/cubes/returns.js';
const TEMPLATE = 'model/cubes/stores.yml.jinja';
const NEW = 'model/cubes/payments.yml';

const orders = files[ORDERS] ?? '';
const fence = (info: string, text: string): string => `\`\`\`${info}\n${text}\n\`\`\`\n`;
const add = (path: string, text: string, info = 'yaml'): string => `Add this to \`${path}\`:\n\n${fence(info, text)}`;
const answer = (name: string, path: string, markdown: string, expected: Expected): Answer => ({
  name,
  path,
  markdown,
  expected,
});
const after = (line: string, text: string) => ({
  becomes: (file: string): string => {
    if (!file.includes(`${line}\n`)) throw new Error(`The file has no line “${line}”.`);
    return file.replace(`${line}\n`, () => `${line}\n${text}\n`);
  },
});
const replaced = (before: string, now: string) => ({
  becomes: (file: string): string => {
    if (!file.includes(before)) throw new Error(`The file has no “${before}”.`);
    return file.replace(before, () => now);
  },
});
const lastFilter = `          - sql: "{CUBE}.status = 'paid'"`;
const average = `      - name: average
        sql: amount
        type: avg`;

/** What agents write every day, and what it must come to. */
export const answers: readonly Answer[] = [
  answer(
    'a list of one measure at column 0',
    ORDERS,
    add(ORDERS, '- name: average\n  sql: amount\n  type: avg'),
    after(lastFilter, average),
  ),
  answer('a measure with the indentation of the file', ORDERS, add(ORDERS, average), after(lastFilter, average)),
  answer(
    'a measure as a bare map',
    ORDERS,
    add(ORDERS, 'name: average\nsql: amount\ntype: avg'),
    after(lastFilter, average),
  ),
  answer(
    'a list under its section',
    ORDERS,
    add(ORDERS, `measures:\n  - name: average\n    sql: amount\n    type: avg`),
    after(lastFilter, average),
  ),
  answer(
    'a section that is indented as in the file',
    ORDERS,
    add(ORDERS, `    measures:\n${average}`),
    after(lastFilter, average),
  ),
  answer(
    'a section whose list is not indented',
    ORDERS,
    add(ORDERS, 'measures:\n- name: average\n  sql: amount\n  type: avg'),
    after(lastFilter, average),
  ),
  answer(
    'a cube with only the new member',
    ORDERS,
    add(ORDERS, `cubes:\n  - name: orders\n    measures:\n${average}`),
    after(lastFilter, average),
  ),
  answer(
    'a cube as a list item',
    ORDERS,
    add(ORDERS, `- name: orders\n  measures:\n    - name: average\n      sql: amount\n      type: avg`),
    after(lastFilter, average),
  ),
  answer(
    'a cube as a bare map',
    ORDERS,
    add(ORDERS, `name: orders\nmeasures:\n  - name: average\n    sql: amount\n    type: avg`),
    after(lastFilter, average),
  ),
  answer(
    'four spaces for each level',
    ORDERS,
    add(
      ORDERS,
      `cubes:\n    - name: orders\n      measures:\n          - name: average\n            sql: amount\n            type: avg`,
    ),
    after(lastFilter, average),
  ),
  answer(
    'tabs',
    ORDERS,
    add(ORDERS, `measures:\n\t- name: average\n\t  sql: amount\n\t  type: avg`),
    after(lastFilter, average),
  ),
  answer(
    'Windows line ends',
    ORDERS,
    add(ORDERS, `measures:\n  - name: average\n    sql: amount\n    type: avg`).replaceAll('\n', '\r\n'),
    after(lastFilter, average),
  ),
  answer(
    'a fence without a language',
    ORDERS,
    add(ORDERS, '- name: average\n  sql: amount\n  type: avg', ''),
    after(lastFilter, average),
  ),
  answer(
    'a measure with a comment above',
    ORDERS,
    add(ORDERS, `measures:\n  # Of paid orders.\n  - name: average\n    sql: amount\n    type: avg # rounded`),
    after(lastFilter, `      # Of paid orders.\n${average} # rounded`),
  ),
  answer(
    'a new measure after one that is there',
    ORDERS,
    add(ORDERS, `measures:\n  - name: count\n    type: count\n  - name: average\n    sql: amount\n    type: avg`),
    after('        type: count', average),
  ),
  answer(
    'a dimension in braces',
    ORDERS,
    add(ORDERS, '- { name: city, sql: city, type: string }'),
    after('        description: Where the order is.', '      - { name: city, sql: city, type: string }'),
  ),
  answer(
    'two measures',
    ORDERS,
    add(ORDERS, `- name: low\n  sql: amount\n  type: min\n- name: high\n  sql: amount\n  type: max`),
    after(
      lastFilter,
      `      - name: low\n        sql: amount\n        type: min\n      - name: high\n        sql: amount\n        type: max`,
    ),
  ),
  answer(
    'a segment where the file has none',
    ORDERS,
    add(ORDERS, `segments:\n  - name: paid\n    sql: "{CUBE}.status = 'paid'"`),
    after('        granularity: day', `    segments:\n      - name: paid\n        sql: "{CUBE}.status = 'paid'"`),
  ),
  answer(
    'a join',
    ORDERS,
    add(ORDERS, `- name: stores\n  relationship: many_to_one\n  sql: "{CUBE}.store_id = {stores.id}"`),
    after(
      '        sql: "{CUBE}.customer_id = {customers.id}"',
      `      - name: stores\n        relationship: many_to_one\n        sql: "{CUBE}.store_id = {stores.id}"`,
    ),
  ),
  answer(
    'a pre-aggregation',
    ORDERS,
    add(ORDERS, `- name: monthly\n  measures: [total]\n  time_dimension: created_at\n  granularity: month`),
    after(
      '        granularity: day',
      `      - name: monthly\n        measures: [total]\n        time_dimension: created_at\n        granularity: month`,
    ),
  ),
  answer(
    'members of two sections',
    ORDERS,
    add(
      ORDERS,
      `dimensions:\n  - name: city\n    sql: city\n    type: string\nmeasures:\n${average.replaceAll(/^ {4}/gm, '')}`,
    ),
    {
      becomes: (file) =>
        file
          .replace(
            'Where the order is.\n',
            'Where the order is.\n      - name: city\n        sql: city\n        type: string\n',
          )
          .replace(`${lastFilter}\n`, `${lastFilter}\n${average}\n`),
    },
  ),
  answer(
    'a key that the cube does not have',
    ORDERS,
    add(ORDERS, 'cubes:\n  - name: orders\n    data_source: warehouse'),
    after('        granularity: day', '    data_source: warehouse'),
  ),
  answer(
    'another title of the cube',
    ORDERS,
    add(ORDERS, 'cubes:\n  - name: orders\n    title: All orders'),
    replaced('title: Orders', 'title: All orders'),
  ),
  answer(
    'one property of a measure',
    ORDERS,
    add(ORDERS, 'measures:\n  - name: total\n    format: percent'),
    replaced('format: currency', 'format: percent'),
  ),
  answer(
    'another definition of a measure, which keeps its title',
    ORDERS,
    add(ORDERS, 'measures:\n  - name: total\n    sql: net_amount\n    type: sum'),
    {
      becomes: (file) =>
        file.replace('sql: amount', 'sql: net_amount').replace(`\n        filters:\n${lastFilter}`, ''),
    },
  ),
  answer(
    'a measure that is elided',
    ORDERS,
    add(ORDERS, 'measures:\n  - name: total\n    # ...\n    sql: net_amount\n    type: sum'),
    replaced('sql: amount', 'sql: net_amount'),
  ),
  answer(
    'a cube that is elided',
    ORDERS,
    add(
      ORDERS,
      `cubes:\n  - name: orders\n    # ... existing dimensions ...\n\n    measures:\n      # ... existing measures ...\n${average}`,
    ),
    after(lastFilter, average),
  ),
  answer(
    'a cube with lines of dots',
    ORDERS,
    add(ORDERS, `cubes:\n  - name: orders\n    ...\n    measures:\n      ...\n${average}`),
    after(lastFilter, average),
  ),
  answer(
    'a cube that is elided in words',
    ORDERS,
    add(
      ORDERS,
      `cubes:\n  - name: orders\n    # keep all other properties\n    measures:\n      # existing measures\n${average}\n    # rest of the file unchanged`,
    ),
    after(lastFilter, average),
  ),
  answer(
    'values that are elided',
    ORDERS,
    add(ORDERS, `cubes:\n  - name: orders\n    dimensions: ...\n    joins: [...]\n    measures:\n${average}`),
    after(lastFilter, average),
  ),
  answer(
    'a block in a list',
    ORDERS,
    `1. Open \`${ORDERS}\` and add:\n\n   \`\`\`yaml\n   measures:\n     - name: average\n       sql: amount\n       type: avg\n   \`\`\`\n`,
    after(lastFilter, average),
  ),
  answer(
    'a block under a heading with the path',
    ORDERS,
    `### ${ORDERS}\n\nAdd the measure:\n\n${fence('yaml', average)}`,
    after(lastFilter, average),
  ),
  answer('a path in the fence', ORDERS, fence(`yaml ${ORDERS}`, average), after(lastFilter, average)),
  answer('a path in a comment', ORDERS, fence('yaml', `# ${ORDERS}\n${average}`), after(lastFilter, average)),
  answer(
    'a path that is not marked',
    ORDERS,
    `In ${ORDERS}, add:\n\n${fence('yaml', average)}`,
    after(lastFilter, average),
  ),
  answer(
    'two blocks for one file',
    ORDERS,
    `${add(ORDERS, average)}\n${add(ORDERS, '- name: city\n  sql: city\n  type: string')}`,
    {
      becomes: (file) =>
        file
          .replace(
            'Where the order is.\n',
            'Where the order is.\n      - name: city\n        sql: city\n        type: string\n',
          )
          .replace(`${lastFilter}\n`, `${lastFilter}\n${average}\n`),
    },
  ),
  answer(
    'what is wrong and what is right',
    ORDERS,
    `The mistake is in \`${ORDERS}\`:\n\n${fence('yaml', '    title: Orders')}\n${add(ORDERS, 'cubes:\n  - name: orders\n    title: All orders')}`,
    replaced('title: Orders', 'title: All orders'),
  ),

  answer(
    'the whole file, changed',
    ORDERS,
    fence(`yaml ${ORDERS}`, orders.replace('title: Orders', 'title: All orders').trimEnd()),
    replaced('title: Orders', 'title: All orders'),
  ),
  answer(
    'the whole file without a comment',
    ORDERS,
    fence(`yaml ${ORDERS}`, orders.replace('      # What the warehouse calls it.\n', '').trimEnd()),
    replaced('      # What the warehouse calls it.\n', ''),
  ),
  answer('the whole file as it is', ORDERS, fence(`yaml ${ORDERS}`, orders.trimEnd()), 'quote'),
  answer(
    'the whole file but for one measure',
    ORDERS,
    fence(`yaml ${ORDERS}`, orders.replace('      - name: count\n        type: count\n', '').trimEnd()),
    'quote',
  ),
  answer(
    'the whole file but for its table',
    ORDERS,
    fence(
      `yaml ${ORDERS}`,
      orders.replace('    sql_table: public.orders\n', '').replace('title: Orders', 'title: All orders').trimEnd(),
    ),
    replaced('title: Orders', 'title: All orders'),
  ),
  answer(
    'the whole file with a query instead of the table',
    ORDERS,
    fence(`yaml ${ORDERS}`, orders.replace('sql_table: public.orders', 'sql: SELECT * FROM orders').trimEnd()),
    replaced('sql_table: public.orders', 'sql: SELECT * FROM orders'),
  ),

  answer(
    'a patch',
    ORDERS,
    fence(
      'diff',
      `--- a/${ORDERS}\n+++ b/${ORDERS}\n@@ -24,3 +24,3 @@\n         type: sum\n-        title: Total\n+        title: Grand total\n         format: currency`,
    ),
    replaced('title: Total', 'title: Grand total'),
  ),
  answer(
    'a patch with wrong line numbers',
    ORDERS,
    fence(
      'diff',
      `--- a/${ORDERS}\n+++ b/${ORDERS}\n@@ -1,9 +1,2 @@\n-        title: Total\n+        title: Grand total`,
    ),
    replaced('title: Total', 'title: Grand total'),
  ),
  answer(
    'a patch that removes a measure by name',
    ORDERS,
    fence(
      'diff',
      `--- a/${ORDERS}\n+++ b/${ORDERS}\n@@\n     measures:\n-      - name: count\n-        type: count\n       - name: total # gross`,
    ),
    replaced('      - name: count\n        type: count\n', ''),
  ),
  answer(
    'a patch that makes the file unreadable',
    ORDERS,
    fence('diff', `--- a/${ORDERS}\n+++ b/${ORDERS}\n@@\n-    measures:\n+  measures\n       - name: count`),
    { draft: /cannot be read/ },
  ),
  answer(
    'a patch that does not fit',
    ORDERS,
    fence('diff', `--- a/${ORDERS}\n+++ b/${ORDERS}\n@@\n-        title: Sum\n+        title: Grand total`),
    { draft: /does not fit/ },
  ),
  answer(
    'a patch without headers',
    ORDERS,
    add(ORDERS, `         type: sum\n-        title: Total\n+        title: Grand total`, 'diff'),
    replaced('title: Total', 'title: Grand total'),
  ),

  answer(
    'a line of the file that is quoted',
    ORDERS,
    `The build fails because of line 4 in \`${ORDERS}\`:\n\n${fence('yaml', '    sql_table: public.orders')}`,
    'quote',
  ),
  answer(
    'lines of the file that are quoted',
    ORDERS,
    `\`${ORDERS}\` has:\n\n${fence('yaml', '- name: status\n  sql: status\n  type: string')}`,
    'quote',
  ),
  answer(
    'a quotation with elisions',
    ORDERS,
    `\`${ORDERS}\` has:\n\n${fence('yaml', 'cubes:\n  - name: orders\n    # ...\n    measures:\n      - name: count\n        type: count\n    # ...')}`,
    'quote',
  ),
  answer(
    'an error message',
    ORDERS,
    `Compiling \`${ORDERS}\` says:\n\n${fence('', 'Error: orders cube: "measures.total" is not allowed\n    at line 12')}`,
    'quote',
  ),
  answer(
    'a query',
    ORDERS,
    `With \`${ORDERS}\` you can ask:\n\n${fence('sql', 'SELECT name, type FROM orders')}`,
    'quote',
  ),
  answer('a command', ORDERS, `Check \`${ORDERS}\`:\n\n${fence('bash', 'grep -n "name: total" orders.yml')}`, 'quote'),
  answer(
    'output of a shell',
    ORDERS,
    `This is \`${ORDERS}\`:\n\n${fence('console', '$ cat orders.yml\nname: orders')}`,
    'quote',
  ),
  answer(
    'rows of data as JSON',
    ORDERS,
    `\`${ORDERS}\` gives:\n\n${fence('json', '[{ "name": "paid", "type": "status" }]')}`,
    'quote',
  ),
  answer(
    'a line that is wrong in another way than the file',
    ORDERS,
    `The mistake in \`${ORDERS}\` is:\n\n${fence('yaml', '    sql_table: publc.orders')}`,
    { draft: /which cube or view/ },
  ),
  answer('one property alone', ORDERS, add(ORDERS, 'format: percent\ntype: number'), { draft: /which cube or view/ }),
  answer('a member of unknown kind', ORDERS, add(ORDERS, '- name: ratio\n  sql: "{total} / {count}"\n  type: number'), {
    draft: /kind of members/,
  }),
  answer(
    'a member of unknown kind that the sentence names',
    ORDERS,
    `Add this measure to \`${ORDERS}\`:\n\n${fence('yaml', '- name: ratio\n  sql: "{total} / {count}"\n  type: number')}`,
    after(lastFilter, `      - name: ratio\n        sql: "{total} / {count}"\n        type: number`),
  ),
  answer('broken indentation', ORDERS, add(ORDERS, 'measures:\n  - name: average\n   sql: amount\n     type: avg'), {
    draft: /cannot be read/,
  }),
  answer(
    'JavaScript for a YAML file',
    ORDERS,
    add(ORDERS, 'measures: {\n  average: { sql: `amount`, type: `avg` },\n}', 'js'),
    { draft: /./ },
  ),
  answer(
    'a cube in JavaScript for a YAML file',
    ORDERS,
    add(ORDERS, 'cube(`orders`, {\n  measures: { average: { sql: `amount`, type: `avg` } },\n});', 'js'),
    { draft: /./ },
  ),

  answer(
    'a member whose cube is not named, of a file with two',
    SHOP,
    add(SHOP, '- name: average\n  sql: size\n  type: avg'),
    { draft: /which cube or view/ },
  ),
  answer(
    'a member whose cube the sentence names',
    SHOP,
    `Add this to the \`suppliers\` cube in \`${SHOP}\`:\n\n${fence('yaml', '- name: average\n  sql: size\n  type: avg')}`,
    after(
      '      - name: supplier_count\n        type: count',
      '      - name: average\n        sql: size\n        type: avg',
    ),
  ),
  answer(
    'a member that only one cube has',
    SHOP,
    `Change it in \`${SHOP}\`:\n\n${fence('yaml', '- name: supplier_count\n  type: count_distinct\n  sql: code')}`,
    replaced(
      '      - name: supplier_count\n        type: count',
      '      - name: supplier_count\n        type: count_distinct\n        sql: code',
    ),
  ),
  answer(
    'one cube of two',
    SHOP,
    fence(`yaml ${SHOP}`, 'cubes:\n  - name: suppliers\n    sql_table: all_suppliers'),
    replaced('sql_table: suppliers', 'sql_table: all_suppliers'),
  ),
  answer('a third cube', SHOP, fence(`yaml ${SHOP}`, 'cubes:\n  - name: clerks\n    sql_table: clerks'), {
    becomes: (file) => `${file}\n  - name: clerks\n    sql_table: clerks\n`,
  }),
  answer(
    'a new dimension in a list with free lines',
    SHOP,
    fence(
      `yaml ${SHOP}`,
      'cubes:\n  - name: stores\n    dimensions:\n      - name: street\n        sql: street\n        type: string',
    ),
    after(
      '        sql: city\n        type: string',
      '\n      - name: street\n        sql: street\n        type: string',
    ),
  ),
  answer(
    'both cubes, each with a part',
    SHOP,
    fence(`yaml ${SHOP}`, 'cubes:\n  - name: stores\n    title: Stores\n  - name: suppliers\n    title: Suppliers'),
    {
      becomes: (file) =>
        file
          .replace('  - name: stores\n', '  - name: stores\n')
          .replace(
            '      - name: count\n        type: count\n',
            '      - name: count\n        type: count\n    title: Stores\n',
          )
          .replace(/$/, '    title: Suppliers\n'),
    },
  ),
  answer(
    'a view for a file of cubes',
    SHOP,
    fence(`yaml ${SHOP}`, 'views:\n  - name: shop\n    cubes:\n      - join_path: stores\n        includes: "*"'),
    {
      becomes: (file) =>
        `${file}\nviews:\n  - name: shop\n    cubes:\n      - join_path: stores\n        includes: "*"\n`,
    },
  ),

  answer(
    'a member that a view includes',
    SALES,
    add(SALES, 'cubes:\n  - join_path: orders\n    includes:\n      - average'),
    after('          - total', '          - average'),
  ),
  answer(
    'a member that a view includes, in one line',
    SALES,
    add(
      SALES,
      'views:\n  - name: sales\n    cubes:\n      - join_path: orders.customers\n        includes: [name, street]',
    ),
    replaced('[name, city]', '[name, city, street]'),
  ),
  answer(
    'another cube of a view',
    SALES,
    add(SALES, '- join_path: orders.stores\n  includes: "*"'),
    after('        includes: [name, city]', '      - join_path: orders.stores\n        includes: "*"'),
  ),
  answer(
    'a view with fewer members',
    SALES,
    fence(
      `yaml ${SALES}`,
      'views:\n  - name: sales\n    cubes:\n      - join_path: orders\n        includes:\n          - total',
    ),
    'quote',
  ),
  answer('everything instead of a list', SALES, add(SALES, 'cubes:\n  - join_path: orders\n    includes: "*"'), {
    draft: /count/,
  }),

  answer(
    'a measure in JavaScript',
    RETURNS,
    add(RETURNS, 'average: {\n  sql: `amount`,\n  type: `avg`,\n},', 'js'),
    replaced(
      '    count: {\n      type: `count`,\n    }\n',
      '    count: {\n      type: `count`,\n    },\n    average: {\n      sql: `amount`,\n      type: `avg`,\n    }\n',
    ),
  ),
  answer(
    'a section in JavaScript',
    RETURNS,
    add(RETURNS, 'dimensions: {\n  city: {\n    sql: `city`,\n    type: `string`,\n  },\n},', 'js'),
    after(
      '      type: `string`, // free text\n    },',
      '    city: {\n      sql: `city`,\n      type: `string`,\n    },',
    ),
  ),
  answer(
    'a call with a part of the cube',
    RETURNS,
    add(
      RETURNS,
      'cube(`returns`, {\n  // ... existing code ...\n  measures: {\n    average: {\n      sql: `amount`,\n      type: `avg`,\n    },\n  },\n});',
      'javascript',
    ),
    replaced(
      '    count: {\n      type: `count`,\n    }\n',
      '    count: {\n      type: `count`,\n    },\n    average: {\n      sql: `amount`,\n      type: `avg`,\n    }\n',
    ),
  ),
  answer(
    'another definition in JavaScript',
    RETURNS,
    add(RETURNS, 'reason: {\n  sql: `LOWER(reason)`,\n  type: `string`,\n}', 'js'),
    replaced('sql: `reason`', 'sql: `LOWER(reason)`'),
  ),
  answer(
    'a join in JavaScript',
    RETURNS,
    add(
      RETURNS,
      'joins: {\n  stores: { relationship: `many_to_one`, sql: `${CUBE}.store_id = ${stores}.id` },\n}',
      'js',
    ),
    after(
      '      sql: `${CUBE}.order_id = ${orders}.id`,\n    },',
      '    stores: { relationship: `many_to_one`, sql: `${CUBE}.store_id = ${stores}.id` },',
    ),
  ),
  answer(
    'the whole script, changed',
    RETURNS,
    fence(`js ${RETURNS}`, (files[RETURNS] ?? '').replace('public.returns', 'returns').trimEnd()),
    replaced('public.returns', 'returns'),
  ),
  answer(
    'a call without a measure',
    RETURNS,
    fence(
      `js ${RETURNS}`,
      (files[RETURNS] ?? '')
        .replace(/  measures: \{[\s\S]*?\n  \},\n/, '')
        .replace('public.returns', 'returns')
        .trimEnd(),
    ),
    replaced('public.returns', 'returns'),
  ),
  answer('another cube in JavaScript', RETURNS, add(RETURNS, 'cube(`refunds`, {\n  sql_table: `refunds`,\n});', 'js'), {
    becomes: (file) => `${file}\ncube(\`refunds\`, {\n  sql_table: \`refunds\`,\n});\n`,
  }),
  answer(
    'code that is no piece of a model',
    RETURNS,
    add(RETURNS, 'const { orders } = await load({ measures: ["orders.count"] });', 'js'),
    'quote',
  ),
  answer('a query of the client', RETURNS, add(RETURNS, '{\n  measures: ["returns.count"],\n  limit: 10\n}', 'js'), {
    draft: /./,
  }),
  answer(
    'a piece of JavaScript that is broken',
    RETURNS,
    add(RETURNS, 'measures: {\n  average: { sql: `amount`, type: `avg` ', 'js'),
    { draft: /./ },
  ),

  answer('a measure for a cube of a template', TEMPLATE, add(TEMPLATE, '- name: average\n  sql: size\n  type: avg'), {
    draft: /./,
  }),
  answer(
    'the whole template, changed',
    TEMPLATE,
    fence(`yaml ${TEMPLATE}`, (files[TEMPLATE] ?? '').replace('sql_table: stores', 'sql_table: all_stores').trimEnd()),
    replaced('sql_table: stores', 'sql_table: all_stores'),
  ),
  answer(
    'the template without its loop',
    TEMPLATE,
    fence(
      `yaml ${TEMPLATE}`,
      'cubes:\n  - name: stores\n    sql_table: all_stores\n    measures:\n      - name: count\n        type: count',
    ),
    { draft: /./ },
  ),

  answer('a new file', NEW, fence(`yaml ${NEW}`, 'cubes:\n  - name: payments\n    sql_table: payments'), {
    creates: /^cubes:\n {2}- name: payments\n {4}sql_table: payments\n$/,
  }),
  answer(
    'a new file with a comment',
    NEW,
    fence(`yaml ${NEW}`, '# Paid orders and all other payments.\ncubes:\n  - name: payments\n    sql_table: payments'),
    { creates: /^# Paid/ },
  ),
  answer(
    'a new file that is elided',
    NEW,
    fence(`yaml ${NEW}`, 'cubes:\n  - name: payments\n    # ... dimensions ...'),
    { draft: /leaves parts out/ },
  ),
  answer('a new file of one measure', NEW, add(NEW, '- name: average\n  sql: amount\n  type: avg'), {
    draft: /no such file yet/,
  }),
  answer(
    'a new file that cannot be read',
    NEW,
    fence(`yaml ${NEW}`, 'cubes:\n  - name: payments\n   sql_table: payments\n  x'),
    { draft: /cannot be read/ },
  ),
  answer(
    'a new script',
    'model/cubes/refunds.js',
    fence('js model/cubes/refunds.js', 'cube(`refunds`, {\n  sql_table: `refunds`,\n});'),
    { creates: /^cube\(`refunds`/ },
  ),
  answer(
    'a new file from two in one block',
    NEW,
    fence(
      'yaml',
      `# ${NEW}\ncubes:\n  - name: payments\n    sql_table: payments\n---\n# model/cubes/taxes.yml\ncubes:\n  - name: taxes\n    sql_table: taxes`,
    ),
    { creates: /^cubes:\n {2}- name: payments\n {4}sql_table: payments\n$/ },
  ),
  answer(
    'a new file as a patch',
    NEW,
    fence(
      'diff',
      `--- /dev/null\n+++ b/${NEW}\n@@ -0,0 +1,3 @@\n+cubes:\n+  - name: payments\n+    sql_table: payments`,
    ),
    { creates: /^cubes:\n {2}- name: payments/ },
  ),
];
