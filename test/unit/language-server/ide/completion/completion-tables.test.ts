import { describe, expect, it } from 'vitest';
import { completion } from '#language-server/ide/completion/completion.ts';
import { fixture } from '#support/language/model.ts';
import { js, json, yaml } from '#support/language/raw.ts';
import { completionItems, completions } from '#support/language/show.ts';

const TABLES = json`
  # file: modelbench.tables.json
  {
    "database_type": "postgres",
    "tables": [
      {
        "schema": "shop", "name": "orders",
        "columns": [
          {"name": "id", "type": "bigint"},
          {"name": "amount", "type": "numeric(10,2)", "description": "In euros."},
          {"name": "Paid At", "type": "timestamp"}
        ]
      },
      {"schema": "shop", "name": "users", "columns": [{"name": "email", "type": "text"}]}
    ]
  }
`;

/** A cube on a table with what is being written, beside the cube that it joins. */
const model = (rest: string, source = 'sql_table: shop.orders'): string => yaml`
  ${TABLES}
  # file: cubes/users.yml
  cubes:
    - name: users
      sql_table: shop.users
  # file: cubes/orders.yml
  cubes:
    - name: orders
      ${source}
      ${rest}
`;
const dimension = (sql: string, source?: string): string =>
  model(`dimensions:\n  - name: d\n    type: number\n    sql: ${sql}`, source);
const columnsOf = (text: string): readonly string[] =>
  completionItems(text).flatMap(({ label, sortText }) => (sortText?.startsWith('6') === true ? [label] : []));
const wordsOf = (text: string): readonly string[] =>
  completionItems(text).flatMap(({ label, sortText }) => (/^[78]/.test(sortText ?? '') ? [label] : []));

describe('completion of columns', () => {
  const ALL = ['id', 'amount', 'Paid At'];
  const PLAIN = ['id', 'amount'];

  // @shows tables
  it.each([
    ['at the beginning', '$0', PLAIN],
    ['in a word', 'am$0', PLAIN],
    ['in quotes', '"$0"', PLAIN],
    ['in single quotes', "'$0'", ALL],
    ['in brackets', 'COALESCE($0)', ALL],
    ['behind an operator', 'id + $0', ALL],
    ['behind a word', 'CASE WHEN $0', ALL],
    ['behind the cube', '"{CUBE}.$0"', PLAIN],
    ['behind the name of the cube', "'id > 0 AND {orders}.am$0'", ALL],
    ['behind another cube', '"{users}.$0"', ['email']],
    ['behind the name of the table', 'orders.$0', ALL],
    ['in a text of several lines', '|\n      COALESCE(\n        {CUBE}.$0\n      )', ALL],
    ['behind a text', '"id = \'a b\' OR $0"', PLAIN],
    ['behind a value', 'id $0', []],
    ['behind a closed bracket', 'ABS(id) $0', []],
    ['behind another name', 'o.$0', []],
    ['behind a member', '"{id}.$0"', []],
    ['behind a type', 'id::$0', []],
    ['in a text', '"id = \'a $0"', []],
    ['in a comment', '|\n      id -- of $0', []],
    ['in a comment of YAML', 'id # of $0', []],
    ['in a statement of a template', '"{% if $0"', []],
  ])('offers them %s', (_, sql, expected) => {
    expect(columnsOf(dimension(sql))).toEqual(expected);
  });

  it.each([
    ['a query of all columns', 'sql: SELECT * FROM shop.orders', PLAIN],
    ['a query of some rows', 'sql: "select * from orders where id > 5;"', PLAIN],
    ['a quoted name', `sql_table: '"shop"."orders"'`, PLAIN],
    ['another table', 'sql_table: shop.unknown', []],
    ['a query of two tables', 'sql: SELECT * FROM orders, users', []],
    ['a query of some columns', 'sql: SELECT id FROM orders', []],
    ['what a template says', 'sql_table: "{{ table }}"', []],
    ['a part of a template', 'sql_table: "{{ schema }}.orders"', []],
    ['nothing', 'title: Orders', []],
    ['a cube that it extends', 'extends: users', ['email']],
  ])('offers them for %s', (_, source, expected) => {
    expect(columnsOf(dimension('$0', source))).toEqual(expected);
  });

  it('says their type and what they are, and quotes them where the database needs it', () => {
    const [id, amount, paidAt] = completionItems(dimension("'$0'"));
    expect(id).toMatchInlineSnapshot(`
      {
        "detail": "bigint",
        "kind": 5,
        "label": "id",
        "labelDetails": {
          "description": "bigint",
        },
        "sortText": "60000",
        "textEdit": {
          "insert": {
            "end": {
              "character": 14,
              "line": 6,
            },
            "start": {
              "character": 14,
              "line": 6,
            },
          },
          "newText": "id",
          "replace": {
            "end": {
              "character": 14,
              "line": 6,
            },
            "start": {
              "character": 14,
              "line": 6,
            },
          },
        },
      }
    `);
    expect(amount).toMatchInlineSnapshot(`
      {
        "detail": "numeric(10,2)",
        "documentation": "In euros.",
        "kind": 5,
        "label": "amount",
        "labelDetails": {
          "description": "numeric(10,2)",
        },
        "sortText": "60001",
        "textEdit": {
          "insert": {
            "end": {
              "character": 14,
              "line": 6,
            },
            "start": {
              "character": 14,
              "line": 6,
            },
          },
          "newText": "amount",
          "replace": {
            "end": {
              "character": 14,
              "line": 6,
            },
            "start": {
              "character": 14,
              "line": 6,
            },
          },
        },
      }
    `);
    expect(paidAt).toMatchInlineSnapshot(`
      {
        "detail": "timestamp",
        "kind": 5,
        "label": "Paid At",
        "labelDetails": {
          "description": "timestamp",
        },
        "sortText": "60002",
        "textEdit": {
          "insert": {
            "end": {
              "character": 14,
              "line": 6,
            },
            "start": {
              "character": 14,
              "line": 6,
            },
          },
          "newText": ""Paid At"",
          "replace": {
            "end": {
              "character": 14,
              "line": 6,
            },
            "start": {
              "character": 14,
              "line": 6,
            },
          },
        },
      }
    `);
  });

  it('needs the name of a cube in the condition of a join', () => {
    const join = (sql: string): string =>
      model(`joins:\n  - name: users\n    relationship: many_to_one\n    sql: ${sql}`);
    expect(columnsOf(join('"$0"'))).toEqual([]);
    expect(columnsOf(join('"{CUBE}.$0"'))).toEqual(PLAIN);
    expect(columnsOf(join('"{CUBE}.id = {users}.$0"'))).toEqual(['email']);
  });

  it.each([
    [
      'a measure',
      yaml`
        measures:
          - name: m
            type: sum
            sql: $0`,
    ],
    [
      'a segment',
      yaml`
        segments:
          - name: s
            sql: $0`,
    ],
    [
      'a filter',
      yaml`
        measures:
          - name: m
            type: count
            filters:
              - sql: $0`,
    ],
    [
      'a branch',
      yaml`
        dimensions:
          - name: d
            type: string
            case:
              when:
                - sql: $0`,
    ],
  ])('offers them in %s', (_, rest) => {
    expect(columnsOf(model(rest))).toEqual(PLAIN);
  });

  it.each([
    [
      'a refresh key',
      yaml`
        refresh_key:
          sql: $0`,
    ],
    ['a title', 'title: $0'],
    [
      'a type',
      yaml`
        dimensions:
          - name: d
            type: $0`,
    ],
  ])('offers none in %s', (_, rest) => {
    expect(columnsOf(model(rest))).toEqual([]);
  });

  it('offers them in the texts of JavaScript, and nothing outside of these', () => {
    const script = (sql: string): string => js`
      ${TABLES}
      # file: orders.js
      cube(\`orders\`, {
        sql_table: \`shop.orders\`,
        dimensions: { d: { type: \`number\`, sql: ${sql} } },
      });
    `;
    expect(columnsOf(script('`$0`'))).toEqual(ALL);
    expect(columnsOf(script('`${CUBE}.$0`'))).toEqual(ALL);
    expect(columnsOf(script('$0'))).toEqual([]);
  });

  it('changes nothing where no tables are known', () => {
    const text = dimension('$0').slice(TABLES.length);
    expect(completions(`# file: a.yml\n${text.replace(/# file: .*\n/g, '')}`).drawn).toBe('nothing');
  });
});

describe('completion of tables', () => {
  it('offers them where a cube names its table', () => {
    expect(columnsOf(model('', 'sql_table: $0'))).toEqual(['orders', 'users']);
    expect(columnsOf(model('', 'sql_table: sh$0'))).toEqual(['orders', 'users']);
    expect(columnsOf(model('', 'sql: SELECT * FROM $0'))).toEqual(['orders', 'users']);
    expect(columnsOf(model('', 'sql: SELECT $0'))).toEqual([]);
  });

  it('offers those that match first where there are more than an editor can filter, and is asked again', () => {
    const tables = Array.from({ length: 6000 }, (_, at) => ({ schema: 'shop', name: `t${at}` }));
    const many = (count: number): string => JSON.stringify({ tables: tables.slice(0, count) });
    const offered = (typed: string, count: number): readonly [number, boolean, boolean] => {
      const cube = `# file: cubes/a.yml\ncubes:\n  - name: a\n    sql_table: ${typed}$0\n`;
      const { opened, offset } = fixture(`# file: modelbench.tables.json\n${many(count)}\n${cube}`);
      const { items, isIncomplete } = completion(opened, offset);
      return [items.length, items.some(({ label }) => label === 't5999'), isIncomplete];
    };
    expect(offered('', 6000)).toEqual([5000, false, true]);
    expect(offered('shop.t599', 6000)).toEqual([5000, true, true]);
    expect(offered('t59', 4999)).toEqual([4999, false, false]);
  });

  it('writes them with their schema', () => {
    expect(completionItems(model('', 'sql_table: $0'))[0]).toMatchInlineSnapshot(`
      {
        "detail": "shop.orders",
        "kind": 22,
        "label": "orders",
        "labelDetails": {
          "description": "shop.orders",
        },
        "sortText": "6orders",
        "textEdit": {
          "insert": {
            "end": {
              "character": 15,
              "line": 2,
            },
            "start": {
              "character": 15,
              "line": 2,
            },
          },
          "newText": "shop.orders",
          "replace": {
            "end": {
              "character": 15,
              "line": 2,
            },
            "start": {
              "character": 15,
              "line": 2,
            },
          },
        },
      }
    `);
  });
});

describe('completion of words of SQL', () => {
  it('offers them behind members and columns, in the case that is typed', () => {
    const labels = completionItems(dimension('c$0')).map(({ label }) => label);
    expect(labels.slice(0, 3)).toEqual(['id', 'amount', 'abs']);
    expect(wordsOf(dimension('C$0')).filter((word) => /^C/i.test(word))).toEqual([
      'CAST',
      'CEIL',
      'COALESCE',
      'CONCAT',
      'CASE',
      'CURRENT_DATE',
      'CURRENT_TIMESTAMP',
    ]);
    expect(wordsOf(dimension('id I$0')).filter((word) => /^I/i.test(word))).toEqual(['IN', 'IS']);
  });

  it('offers functions of the database', () => {
    const wordsFor = (type: string): readonly string[] =>
      wordsOf(dimension('d$0').replace('postgres', type)).filter((word) => /^d/i.test(word));
    expect(wordsFor('postgres')).toEqual(['date_trunc', 'distinct']);
    expect(wordsFor('clickhouse')).toEqual(['dateDiff', 'distinct']);
    expect(wordsFor('unheard of')).toEqual(['distinct']);
  });

  it('offers aggregates only where the SQL of a measure is to aggregate', () => {
    const measure = (type: string): readonly string[] =>
      wordsOf(
        model(yaml`
          measures:
            - name: m
              type: ${type}
              sql: S$0`),
      );
    const others = measure('sum');
    expect(measure('number').filter((word) => !others.includes(word))).toEqual([
      'AVG',
      'COUNT',
      'MAX',
      'MIN',
      'STRING_AGG',
      'SUM',
    ]);
    expect(wordsOf(dimension('S$0'))).toEqual(others);
  });

  it('offers none where the table is not known', () => {
    expect(wordsOf(dimension('C$0', 'sql_table: unknown'))).toEqual([]);
  });
});
