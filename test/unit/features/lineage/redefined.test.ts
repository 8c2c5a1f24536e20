import { describe, expect, it } from 'vitest';
import { changeLine, type ModelImpact } from '#features/lineage/model-changes.ts';
import { impactOfFiles, modelImpact } from '#features/lineage/model-impact.ts';
import { modelDiffOf } from '#features/lineage/model-diff.ts';
import type { RenderTemplates } from '#model/templates/render-model.ts';
import { jinja, js, yaml } from '#support/language/raw.ts';
import { templates } from '#support/language/rendered.ts';

const render: RenderTemplates = async (questions) => templates.render(questions);

const orders = yaml`
  cubes:
    - name: orders
      sql_table: shop.orders
      joins:
        - name: users
          relationship: many_to_one
          sql: "{CUBE}.user_id = {users}.id"
      dimensions:
        - name: id
          sql: id
          type: number
          primary_key: true
        - name: status
          sql: status
          type: string
          description: How far it is
        - name: created_at
          sql: created_at
          type: time
          granularities:
            - name: fiscal_year
              interval: 1 year
              offset: 3 months
      measures:
        - name: total
          sql: amount
          type: sum
          format: currency
          filters:
            - sql: "{CUBE}.status = 'paid'"
        - name: running
          sql: amount
          type: sum
          rolling_window:
            trailing: 7 day
      segments:
        - name: paid
          sql: "{CUBE}.status = 'paid'"
      hierarchies:
        - name: places
          levels: [status, id]
      pre_aggregations:
        - name: main
          measures: [CUBE.total]
      access_policy:
        - group: sales
          row_level:
            filters:
              - member: status
                operator: equals
                values: [paid]
    - name: users
      sql_table: users
      dimensions:
        - name: id
          sql: id
          type: number
          primary_key: true
        - name: status
          sql: state
          type: string
`;
const overview = yaml`
  views:
    - name: overview
      cubes:
        - join_path: orders
          includes:
            - total
            - name: status
              title: State
`;

async function changesOf(before: string, after: string, path = 'model/orders.yml'): Promise<ModelImpact> {
  const files = (text: string): ReadonlyMap<string, string> =>
    new Map([
      [path, text],
      ['model/overview.yml', overview],
    ]);
  return modelImpact(files(before), files(after), render);
}
const edited = async (from: string, to: string): Promise<readonly string[]> => {
  expect(orders).toContain(from);
  return (await changesOf(orders, orders.replace(from, to))).changes.map(changeLine);
};

/** A change by one replacement, and the lines that describe it. */
type Case = readonly [what: string, from: string, to: string, ...lines: readonly string[]];

const meant: readonly Case[] = [
  ['the SQL of a measure', 'sql: amount', 'sql: amount * 2', 'redefined measure sum orders.total: sql'],
  [
    'a filter',
    `filters:\n          - sql: "{CUBE}.status = 'paid'"`,
    `filters:\n          - sql: "{CUBE}.status = 'sent'"`,
    'redefined measure sum orders.total: filters',
  ],
  ['a window', '7 day', '8 day', 'redefined measure sum orders.running: rolling_window'],
  ['the SQL of a dimension', 'sql: status', 'sql: state', 'redefined dimension string orders.status: sql'],
  [
    'a granularity',
    '3 months',
    '4 months',
    'redefined dimension time orders.created_at: granularities.fiscal_year.offset',
  ],
  [
    'a new granularity',
    'granularities:\n',
    'granularities:\n          - name: two_weeks\n            interval: 2 weeks\n',
    'redefined dimension time orders.created_at: granularities.two_weeks',
  ],
  ['a primary key', '        primary_key: true\n', '', 'redefined dimension number orders.id: primary_key'],
  [
    'a segment',
    '- name: paid\n        sql: "',
    '- name: paid\n        sql: "NOT ',
    'redefined segment orders.paid: sql',
  ],
  ['the order of levels', '[status, id]', '[id, status]', 'redefined hierarchy orders.places: levels'],
  ['visibility', 'sql: amount', 'sql: amount\n        public: false', 'redefined measure sum orders.total: public'],
  [
    'visibility of a primary key',
    'primary_key: true',
    'primary_key: true\n        public: true',
    'redefined dimension number orders.id: public',
  ],
  ['a mask', 'sql: amount', 'sql: amount\n        mask: -1', 'redefined measure sum orders.total: mask'],
  ['a table', 'shop.orders', 'shop.sales', 'redefined cube orders: sql_table'],
  ['a query instead of a table', 'sql_table: shop.orders', 'sql: SELECT 1', 'redefined cube orders: sql, sql_table'],
  [
    'a data source',
    'sql_table: shop.orders',
    'sql_table: shop.orders\n    data_source: other',
    'redefined cube orders: data_source',
  ],
  ['a relationship', 'many_to_one', 'one_to_many', 'redefined cube orders: joins.users.relationship'],
  ['the condition of a join', 'user_id', 'buyer_id', 'redefined cube orders: joins.users.sql'],
  ['an access policy', 'values: [paid]', 'values: [sent]', 'redefined cube orders: access_policy'],
  ['a pre-aggregation', '[CUBE.total]', '[CUBE.running]', 'redefined cube orders: pre_aggregations.main.measures'],
  ['a text in SQL that differs in a blank', `'paid'`, `'paid '`, 'redefined measure sum orders.total: filters'],
  [
    'the SQL of a measure with another type',
    'sql: amount\n        type: sum',
    'sql: price\n        type: avg',
    'retyped orders.total: measure sum → measure avg',
    'redefined measure avg orders.total: sql',
  ],
  [
    'the filters of a renamed measure',
    `total\n        sql: amount\n        type: sum\n        format: currency\n        filters:\n          - sql: "{CUBE}.status = 'paid'"`,
    'whole\n        sql: amount\n        type: sum\n        format: currency',
    'renamed orders.total → orders.whole',
    'redefined measure sum orders.whole: filters',
  ],
];

const shown: readonly Case[] = [
  ['a description', 'How far it is', 'How far', 'presentation of dimension string orders.status: description'],
  ['a format', 'format: currency', 'format: percent', 'presentation of measure sum orders.total: format'],
  [
    'a title of a cube',
    'sql_table: shop.orders',
    'sql_table: shop.orders\n    title: Orders',
    'presentation of cube orders: title',
  ],
  [
    'metadata beside SQL',
    'sql: amount',
    'sql: price\n        meta: { ai_context: Paid only }',
    'redefined measure sum orders.total: sql (presentation: meta)',
  ],
];

const silent: readonly Case[] = [
  ['comments', 'sql: amount', '# why\n        sql: amount # so'],
  ['comments in SQL', 'sql: amount', 'sql: |\n          -- why\n          amount'],
  [
    'blanks and the case of keywords in SQL',
    `sql: "{CUBE}.user_id = {users}.id"`,
    'sql: >-\n          {CUBE}.user_id =\n          {users}.id',
  ],
  ['quotes', 'sql: amount', 'sql: "amount"'],
  ['the order of keys', 'sql: amount\n        type: sum', 'type: sum\n        sql: amount'],
  [
    'flow style',
    `- name: status\n        sql: status\n        type: string\n        description: How far it is`,
    '- { name: status, sql: status, type: string, description: How far it is }',
  ],
  ['values that are the default', 'sql: amount', 'sql: amount\n        public: true'],
  ['the old name of a relationship', 'many_to_one', 'belongs_to'],
  ['keys in camel case', 'sql_table: shop.orders', 'sqlTable: shop.orders'],
];

describe('what changes under the same name', () => {
  it.each(meant)('lists %s', async (_what, from, to, ...lines) => {
    const changes = (await edited(from, to)).filter((line) => !line.includes('overview.'));
    expect(changes).toEqual(expect.arrayContaining([...lines]));
    expect(changes.filter((line) => /^(?:redefined|retyped|presentation)/.test(line))).toEqual(
      lines.filter((line) => /^(?:redefined|retyped|presentation)/.test(line)),
    );
  });

  it.each(shown)('marks %s as presentation', async (_what, from, to, ...lines) => {
    expect(await edited(from, to)).toEqual(lines);
  });

  it.each(silent)('does not list %s', async (_what, from, to) => {
    expect(await edited(from, to)).toEqual([]);
  });

  it('compares a model in YAML with the same one in JavaScript', async () => {
    const script = js`
      cube('users', {
        sql_table: 'users',
        dimensions: {
          id: { sql: 'id', type: 'number', primaryKey: true },
          status: { sql: ${'`${CUBE}.state`'}, type: 'string' },
        },
      });
    `;
    const text = yaml`
      cubes:
        - name: users
          sql_table: users
          dimensions:
            - name: id
              sql: id
              type: number
              primary_key: true
            - name: status
              sql: "{CUBE}.state"
              type: string
    `;
    const impact = await modelImpact(new Map([['model/u.yml', text]]), new Map([['model/u.js', script]]), render);
    expect(impact.changes).toEqual([]);
    const other = script.replace('.state', '.status');
    const changed = await modelImpact(new Map([['model/u.js', script]]), new Map([['model/u.js', other]]), render);
    expect(changed.changes.map(changeLine)).toEqual(['redefined dimension string users.status: sql']);
  });

  it('follows a macro into the members that it makes', async () => {
    const macro = (sql: string): ReadonlyMap<string, string> =>
      new Map([
        [
          'model/orders.yml.jinja',
          jinja`
            {% macro total(name) %}
                  - name: {{ name }}
                    sql: ${sql}
                    type: sum
            {% endmacro %}
            cubes:
              - name: orders
                sql_table: orders
                measures:
                  {{ total('net') }}
          `,
        ],
      ]);
    const impact = await modelImpact(macro('net'), macro('net - tax'), render);
    expect(impact.changes.map(changeLine)).toEqual(['redefined measure sum orders.net: sql']);
  });

  it('shows what a view takes from another cube under the same name', async () => {
    const files = (path: string): ReadonlyMap<string, string> =>
      new Map([
        ['model/orders.yml', orders],
        ['model/v.yml', `views:\n  - name: v\n    cubes:\n      - join_path: ${path}\n        includes: [status]\n`],
      ]);
    const lines = async (from: string, to: string): Promise<readonly string[]> =>
      (await modelImpact(files(from), files(to), render)).changes.map(changeLine);
    expect(await lines('users', 'orders.users')).toEqual(['redefined dimension string v.status: join_path']);
    expect(await lines('orders', 'orders.users')).toEqual(['redefined dimension string v.status: includes, join_path']);
  });

  it.each([
    [
      'a default filter',
      'default_filters:\n      - { member: status, operator: equals, values: [paid] }',
      'redefined view overview: default_filters',
    ],
    [
      'who may see it',
      'access_policy:\n      - group: sales\n        member_level: { includes: [total] }',
      'redefined view overview: access_policy',
    ],
    ['that nobody may query it', 'public: false', 'redefined view overview: public'],
    ['folders', 'folders:\n      - { name: Sales, includes: [total] }', 'presentation of view overview: folders'],
  ])('lists what a view itself says: %s', async (_what, added, line) => {
    const files = (text: string): ReadonlyMap<string, string> =>
      new Map([
        ['model/orders.yml', orders],
        ['model/overview.yml', text],
      ]);
    const impact = await modelImpact(files(overview), files(`${overview}    ${added}\n`), render);
    expect(impact.changes.map(changeLine)).toEqual([line]);
  });

  it('marks the title that a view gives a member as presentation', async () => {
    const files = (text: string): ReadonlyMap<string, string> =>
      new Map([
        ['model/orders.yml', orders],
        ['model/overview.yml', text],
      ]);
    const impact = await modelImpact(files(overview), files(overview.replace('State', 'Status')), render);
    expect(impact.changes.map(changeLine)).toEqual(['presentation of dimension string overview.status: title']);
  });

  it('follows an alias of YAML to what it stands for', async () => {
    const text = yaml`
      cubes:
        - name: defaults
          sql_table: defaults
          measures:
            - name: net
              sql: &net net
              type: sum
        - name: orders
          sql_table: orders
          measures:
            - name: paid
              sql: *net
              type: sum
              filters: &paid
                - sql: paid
            - name: count
              type: count
              filters: *paid
    `;
    const lines = async (from: string, to: string): Promise<readonly string[]> =>
      (await changesOf(text, text.replace(from, to))).changes.map(changeLine);
    expect(await lines('&net net', '&net gross')).toEqual([
      'redefined measure sum defaults.net: sql',
      'redefined measure sum orders.paid: sql',
    ]);
    expect(await lines('- sql: paid', '- sql: due')).toEqual([
      'redefined measure count orders.count: filters',
      'redefined measure sum orders.paid: filters',
    ]);
    expect(await lines('name: defaults', 'name: defaults # so')).toEqual([]);
  });

  it('shows what a cube inherits', async () => {
    const child = `${orders}  - name: returns\n    extends: orders\n`;
    const impact = await changesOf(child, child.replace('sql: amount', 'sql: price'));
    expect(impact.changes.map(changeLine)).toEqual([
      'redefined measure sum orders.total: sql',
      'redefined measure sum returns.total: sql',
    ]);
  });
});

describe('the impact of a new definition', () => {
  it('reaches members of views, what is made of them, and query files with their tests', async () => {
    const query = 'query:\n  measures: [overview.total]\ntests:\n  - name: paid\n    rows: 1\n';
    const files = (text: string): ReadonlyMap<string, string> =>
      new Map([
        ['model/orders.yml', text],
        ['model/overview.yml', overview],
        ['queries/paid.query.yml', query],
        ['queries/other.query.yml', 'query:\n  dimensions: [users.status]\n'],
        ['queries/by-sql.query.yml', 'sql: SELECT MEASURE(total) FROM overview\n'],
        ['queries/other-sql.query.yml', 'sql: SELECT status FROM overview\n'],
      ]);
    const impact = await modelImpact(files(orders), files(orders.replace('sql: amount', 'sql: price')), render);
    expect(modelDiffOf(impact)).toEqual({
      summary: '1 member redefined',
      lines: [
        { severity: 'info', text: 'redefined measure sum orders.total: sql (affects orders.main, overview.total)' },
        { severity: 'info', text: 'queries/paid.query.yml (1 test) uses overview.total' },
        { severity: 'info', text: 'queries/by-sql.query.yml uses overview.total' },
      ],
    });
  });

  it('of a few files reads the others for what depends on them', async () => {
    const one = (text: string): ReadonlyMap<string, string> => new Map([['model/orders.yml', text]]);
    const impact = await impactOfFiles(
      one(orders),
      one(orders.replace('shop.orders', 'shop.sales')),
      async () => new Map([['model/overview.yml', overview]]),
      render,
    );
    const [change] = impact.changes;
    expect(change?.kind === 'redefined' && change.affects).toEqual(
      expect.arrayContaining(['orders.total', 'overview.status', 'overview.total']),
    );
  });

  it('of presentation alone reads no other file', async () => {
    const one = (text: string): ReadonlyMap<string, string> => new Map([['model/users.yml', text]]);
    const users = 'cubes:\n  - name: users\n    sql_table: users\n';
    const read = async (): Promise<never> => Promise.reject(new Error('read'));
    const impact = await impactOfFiles(one(users), one(`${users}    title: People\n`), read, render);
    expect(modelDiffOf(impact)).toEqual({
      summary: '1 cube shown differently',
      lines: [{ severity: 'info', text: 'presentation of cube users: title' }],
    });
  });

  it('warns where someone may no longer see something', async () => {
    const hidden = await changesOf(orders, orders.replace('sql: amount', 'sql: amount\n        public: false'));
    expect(modelDiffOf(hidden).lines).toEqual([
      { severity: 'warning', text: 'redefined measure sum orders.total: public (affects orders.main, overview.total)' },
    ]);
  });
});
