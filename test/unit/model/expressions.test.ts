import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';
import { problemsOf } from '#support/language/problems.ts';
import { js, yaml } from '#support/language/raw.ts';
import { textAfter } from '#support/language/show.ts';

const model = (sql: string): string => yaml`
  cubes:
    - name: orders
      sql_table: orders
      joins: [{name: users, relationship: many_to_one, sql: "{CUBE}.user_id = {users.id}"}]
      dimensions:
        - {name: id, sql: id, type: number, primary_key: true}
        - {name: status, sql: status, type: string}
        - {name: created_at, sql: created_at, type: time}
      measures: [{name: count, type: count}]
      segments:
        - name: chosen
          sql: |
            ${sql}
    - name: users
      sql_table: users
      dimensions:
        - {name: id, sql: id, type: number, primary_key: true}
        - {name: city, sql: city, type: string}
`;
const filter = (argument: string): string => `{FILTER_PARAMS.orders.status.filter(${argument})}`;

describe('an argument of a call in YAML', () => {
  it.each([
    ['"a" + "b"', true],
    ['1 + 2', true],
    ['y => "a"', true],
    ['(y) => "a"', true],
    ['(y) => { return "a"; }', true],
    ['["a", "b"]', true],
    ['[]', true],
    ['("a", "b")', true],
    ['()', true],
    ['None', true],
    ['column="a"', true],
    [`'a`, true],
    ['lambda y: "a" + y', true],
    ['lambda y: y if y else "b"', true],
    ['lambda y: y == "a"', true],
    ['lambda y: y[0]', true],
    ['lambda y: "%s" % y', true],
    ['lambda y: None', true],
    ['lambda y: f"a = {y}"', false],
    ['lambda y: f"a + b = {y}"', false],
    ['lambda y, z: f"a between {y} and {z}"', false],
    ['lambda *y: "a"', false],
    ['lambda y: y.upper()', false],
    ['lambda y: not y', false],
    ['lambda y: [y]', false],
    [`lambda y: ' and '.join(y)`, false],
    ['"a + b"', false],
    ['"(a, b)"', false],
    [`"it's => a"`, false],
    ['"""a"""', false],
    ['-1', false],
    ['"a" "b"', false],
    ['"a", lambda y: y', false],
  ])('is %s, which both judge alike', async (argument, isRefused) => {
    expect(await verdict(model(filter(argument)))).toEqual({ engine: isRefused, ours: isRefused });
  });

  it.each([
    [`"${String.raw`{FILTER_PARAMS.orders.status.filter(\"a + b\")}`}"`, false],
    [`"${String.raw`{FILTER_PARAMS.orders.status.filter(\"a\" + \"b\")}`}"`, true],
    [`'{FILTER_PARAMS.orders.status.filter(''a + b'')}'`, false],
    [`'{FILTER_PARAMS.orders.status.filter(''column'')}'`, false],
    [`'{FILTER_PARAMS.orders.status.filter(lambda y: f''{CUBE}.a = {y}'')}'`, false],
    [`'{FILTER_GROUP(FILTER_PARAMS.orders.status.filter(''''), nope)}'`, true],
    [`'{FILTER_PARAMS.orders.status.filter(''a'' + ''b'')}'`, true],
  ])('is read without the escapes of the text: %s', async (written, isRefused) => {
    const text = model('1').replace(/\|\n +1\n/, `${written}\n`);
    expect(await verdict(text)).toEqual({ engine: isRefused, ours: isRefused });
  });

  it('is explained where it is a function of JavaScript', () => {
    const [found] = problemsOf({ 'm.yml': model(filter('(y) => `a = ${y}`')) });
    expect(found?.message).toBe(
      'The engine reads expressions in YAML as Python, which writes a function as `lambda x: f"column = {x}"`.',
    );
  });
});

describe('braces of a text of the database', () => {
  it.each([
    [`'{1,2}'::int[]`, String.raw`'\{1,2\}'::int[]`],
    [`{CUBE}.p #>> '{a, b.c}'`, String.raw`{CUBE}.p #>> '\{a, b.c\}'`],
    [`{CUBE}.p @> '{"a": 1}'`, String.raw`{CUBE}.p @> '\{"a": 1\}'`],
  ])('are written as characters by a fix: %s', async (sql, fixed) => {
    expect(textAfter(model(sql), 'Write `\\{')).toBe(model(fixed));
    expect(await verdict(model(fixed))).toEqual({ engine: false, ours: false });
  });

  it.each(['{count / 2}', '{CUBE.status + 1}'])('are not offered for an operation: %s', (sql) => {
    const [found] = problemsOf({ 'm.yml': model(sql) });
    expect([found?.code, found?.message.includes('for the characters')]).toEqual(['bad-expression', false]);
  });
});

describe('braces directly behind others', () => {
  it.each([
    ['{id}{status}', true],
    ['a{CUBE}{status}b', true],
    ['{id} {status}', false],
    ['{CUBE}.a{CUBE}', false],
  ])('are %s, which both judge alike', async (sql, isRefused) => {
    expect(await verdict(model(sql))).toEqual({ engine: isRefused, ours: isRefused });
  });

  it('are fine in a script', async () => {
    const script = js`
      cube('orders', {
        sql_table: 'orders',
        dimensions: { id: { sql: 'id', type: 'number' }, both: { sql: \`\${id}\${CUBE}.x\`, type: 'string' } },
      });
    `;
    expect(await verdict(`// file: m.js\n${script}`)).toEqual({ engine: false, ours: false });
  });
});

describe('a name in a function for `FILTER_PARAMS`', () => {
  const codes = (files: Readonly<Record<string, string>>): readonly string[] =>
    problemsOf(files).map(({ code, text }) => `${code}: ${text}`);

  it.each([
    ['lambda y: nope', 'late-reference: nope'],
    ['lambda y: f"{CUBE.nope} = {y}"', 'late-reference: nope'],
    ['lambda y: f"{users.nope} = {y}"', 'late-reference: nope'],
    ['lambda y: nope(y)', 'late-reference: nope'],
  ])('is a warning, because the engine reads it with a query: %s', async (argument, reported) => {
    const text = model(filter(argument));
    expect(codes({ 'm.yml': text })).toEqual([reported]);
    expect(await verdict(text)).toEqual({ engine: false, ours: false });
  });

  const script = (argument: string): string => js`
    cube('orders', {
      sql_table: 'orders',
      dimensions: {
        id: { sql: 'id', type: 'number', primary_key: true },
        status: { sql: 'status', type: 'string' },
        x: { sql: \`\${FILTER_PARAMS.orders.status.filter(${argument})}\`, type: 'string' },
      },
    });
  `;

  it.each([
    ['(y) => CUBE.nope', ['late-reference: nope']],
    ['y => `${CUBE.nope} = ${y}`', ['late-reference: nope']],
    ['(y) => { return `a = ${y}`; }', []],
    ['function (y) { return `a = ${y}`; }', []],
    ['(y) => { const z = String(y); return `a = ${z}`; }', []],
    ['(y) => { if (y) { return y; } else { throw y; } }', []],
    ['(y = 1, { z } = {}) => `${y} ${z}`', []],
    ['([y]) => y', []],
  ])('is a warning in a script, where its own names are known: %s', async (argument, reported) => {
    const text = script(argument);
    expect(codes({ 'm.js': text })).toEqual(reported);
    expect(await verdict(`// file: m.js\n${text}`)).toEqual({ engine: false, ours: false });
  });

  it.each(['nope', '`${nope}`', '["a"].map((k) => CUBE.nope)'])('is an error outside of it: %s', async (argument) => {
    expect(await verdict(`// file: m.js\n${script(argument)}`)).toEqual({ engine: true, ours: true });
  });
});

describe('a path that leads from a member to another name', () => {
  it.each([
    ['{users.city.id}', false],
    ['{status.id}', false],
    ['{CUBE.status.count}', false],
    ['{created_at.status}', false],
    ['{status.users.city}', false],
    ['{status.id.status}', false],
    ['{users.city.status}', true],
    ['{users.city.nope}', true],
    ['{status.users}', true],
    ['{status.status.nope}', true],
    ['{created_at.status.day}', true],
  ])('is %s, which both judge alike', async (sql, isRefused) => {
    expect(await verdict(model(sql))).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('a member in the types of output columns', () => {
  const rollup = (member: string): string =>
    model('1').replace(
      /^ {4}segments:/m,
      `    pre_aggregations: [{name: main, measures: [count], output_column_types: [{member: ${member}, type: string}]}]\n    segments:`,
    );

  it.each([
    ['status', false],
    ['CUBE.status', false],
    ['users.city', false],
    ['created_at.day', false],
    ['nope', true],
    ['CUBE.nope', true],
    ['users.nope', true],
    ['"{nope}"', true],
    ['status.nope', true],
  ])('is %s, which both judge alike', async (member, isRefused) => {
    expect(await verdict(rollup(member))).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('braces in the texts of a group of views', () => {
  it.each([
    '{name: g, title: "a {b}", includes: [v]}',
    '{name: g, includes: [v, {name: "h{", includes: [v]}]}',
    '{name: g, includes: [{name: h, title: "{CUBE}", description: "{", includes: [v]}]}',
  ])('are text to both: %s', async (group) => {
    const views = 'views: [{name: v, cubes: [{join_path: orders, includes: "*"}]}]\n';
    const text = `${model('1')}${views}view_groups: [${group}]\n`;
    expect(await verdict(text)).toEqual({ engine: false, ours: false });
  });
});

/** Texts of SQL in a cube with the members `id` and `day`, and whether the engine refuses them. */
const IN_SQL: readonly (readonly [string, boolean])[] = [
  // Words and characters that the reader skips in front of an expression.
  ['{await id}', false],
  ['{import id} + 1', false],
  ['a {yield CUBE.id} b', false],
  ['{del id}', false],
  ['{await import id}', false],
  ['{@id}', false],
  ['a {~id} b', false],
  ['{.id}', false],
  ['{await nothing}', true],
  ['{yield CUBE.nothing}', true],
  ['{import nothing} + 1', true],
  ['{await}', true],
  ['{yield}', true],
  ['{from.id}', true],
  ['{None id}', true],
  // Behind one.
  ['{id;}', false],
  ['a {CUBE.id;;} b', false],
  ['{id@}', false],
  ['{id%}', false],
  ['{id,,}', false],
  ['{id await}', false],
  ['{id as}', false],
  ['{id...}', false],
  ['{nothing;}', true],
  ['{CUBE.nothing @} b', true],
  ['{id; day}', true],
  ['{id@day}', true],
  ['{id |}', true],
  ['{id if}', true],
  ['{id = 1}', true],
  ['{id ^ day}', true],
  ['{id != 1}', true],
  ['{id.}', true],
  // Where it stops, the rest of the text is dropped.
  ['{id as day} + {nothing}', false],
  ['{id ? nothing} + {id}', false],
  ['{id ) y} + {nothing.x}', false],
  ['{id #x} + {nothing}', false],
  ['{id #} {', false],
  ['{#id} + {nothing}', false],
  ['{id y} + {nothing}', true],
  ['{id y} + {id + id}', true],
  ['a {#id} b', true],
  ['{CUBE.nothing #x}', true],
  // Without any expression.
  ['{;}', false],
  ['{;} x', false],
  ['a {;} b', true],
  ['a {as} b', true],
  ['{*}', true],
  // Letters of other languages.
  ['{日本}', true],
  ['{CUBE.é}', true],
  ['日本 = {CUBE.id}', false],
];

describe('SQL that is not a Python expression', () => {
  const folded = IN_SQL.filter((_, at) => at % 4 === 0);

  it.each([
    ['double quotes', IN_SQL, (sql: string) => JSON.stringify(sql)],
    ['a folded text', folded, (sql: string) => `>-\n          ${sql}`],
  ] as const)('is judged as by the engine in %s', async (_, texts, written) => {
    const judged = await Promise.all(
      texts.map(async ([sql, isRefused]) => {
        const text = `cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: day, sql: day, type: time}
      - name: other
        type: string
        sql: ${written(sql)}
`;
        const { engine, ours } = await verdict(text);
        return { sql, isRefused, engine, ours };
      }),
    );
    expect(judged.filter(({ engine, isRefused }) => engine !== isRefused)).toEqual([]);
    expect(judged.filter(({ engine, ours }) => engine !== ours)).toEqual([]);
  });

  it.each([
    ['CUBE.id;', false],
    ['await id', false],
    ['id as', false],
    ['as', false],
    ['id await', true],
    ['import id', true],
    ['yield id', true],
    ['@id', true],
    ['id:', true],
    ['id = day', true],
    ['await nothing', true],
    ['*', true],
  ])('is judged as by the engine in a list of references: %s', async (reference, isRefused) => {
    const text = model('1').replace(
      '{name: count, type: count}',
      () => `{name: count, type: count, drill_members: ["${reference}"]}`,
    );
    expect(await verdict(text)).toEqual({ engine: isRefused, ours: isRefused });
  });
});
