import { beforeAll, describe, expect, it } from 'vitest';
import { verdictsOn } from '#support/language/injected/run-mistakes.ts';
import { type MatrixEngine, matrixEngine } from '#support/language/matrix/engine.ts';
import { verdict } from '#support/language/injected/verdict.ts';
import { filesIn, jinja, js, yaml } from '#support/language/raw.ts';

let engine: MatrixEngine;
beforeAll(async () => {
  engine = await matrixEngine();
});

const cubes = (key: string): string => yaml`
  cubes:
    - name: orders
      sql_table: orders
      joins: [{name: users, relationship: many_to_one, sql: "{CUBE}.user_id = {users.id}"}]
      dimensions:
        - {name: id, sql: id, type: number, primary_key: true}
        - {name: city, sql: city, type: string}
      measures: [{name: count, type: count}]
    - name: users
      sql_table: users
      dimensions:
        - {name: id, sql: id, type: number, primary_key: ${key}}
        - {name: city, sql: city, type: string}
      measures: [{name: count, type: count}]
`;

describe('an expression of true and false as the key of a joined cube', () => {
  it.each([
    ['"{true"', false],
    ['"true day"', false],
    ['"not false"', false],
    ['"(true)"', false],
    ['"true or false"', false],
    ['"true,"', false],
    ['"true, "', false],
    ['"true,,"', false],
    ['"false,"', true],
    ['"{true day}"', true],
    ['"true.nothing"', true],
    ['"false day"', true],
    ['"{false}"', true],
    ['"not true"', true],
    ['"true and false"', true],
    ['"true("', true],
    ['"true.a.b"', true],
    ['"true."', true],
    ['"True"', true],
    ['"{}"', true],
  ])('is %s, which both judge alike', async (key, isRefused) => {
    expect(await verdict(cubes(key))).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('an expression of true and false as a prefix', () => {
  it.each([
    ['"{true"', false],
    ['"true day"', false],
    ['"not false"', false],
    ['"(true)"', false],
    ['"true.nothing"', true],
    ['"false day"', true],
    ['"True"', true],
  ])('is %s, which both judge alike', async (prefix, isRefused) => {
    const view = yaml`
      ${cubes('true')}
      views:
        - name: shown
          cubes: [{join_path: orders, includes: "*"}, {join_path: orders.users, includes: "*", prefix: ${prefix}}]
    `;
    expect(await verdict(view)).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('what stands for a join path', () => {
  it.each([
    ['{}', '"*"', false],
    ['{orders: 1}', '[]', false],
    ['5', '[]', false],
    ['{}', '[id]', true],
    ['5', '[id]', true],
    ['[]', '"*"', true],
    ['[orders]', '[]', true],
    ['CUBE', '[]', false],
    ['CUBE.orders', '[]', true],
  ])('is %s with %s, which both judge alike', async (path, includes, isRefused) => {
    const view = yaml`
      ${cubes('true')}
      views:
        - name: shown
          cubes: [{join_path: ${path}, includes: ${includes}}]
    `;
    expect(await verdict(view)).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('small mistakes', () => {
  const DIMENSIONS =
    'dimensions: [{name: id, sql: id, type: number, primary_key: true}, {name: day, sql: d, type: time}]';
  const cube = (rest: string, dimensions = DIMENSIONS): string => yaml`
    cubes:
      - name: orders
        sql_table: orders
        calendar: true
        ${dimensions}
        ${rest}
  `;
  const shifts = (list: string): string =>
    cube('segments: []', `dimensions: [{name: d, sql: id, type: time, time_shift: ${list}}]`);

  it.each([
    [
      'a dot at the end of a name in braces',
      cube('measures: [{name: c, type: count, drill_members: ["{CUBE.}.id"]}]'),
      true,
    ],
    [
      'braces around both names of a path',
      cube('measures: [{name: c, type: count, drill_members: ["{CUBE}.{id}"]}]'),
      false,
    ],
    [
      'a word for nothing among drill members',
      cube('measures: [{name: c, type: count, drill_members: ["null"]}]'),
      true,
    ],
    ['a member of nothing among levels', cube('hierarchies: [{name: h, levels: ["null.id"]}]'), true],
    [
      'a word for nothing where a rollup names measures',
      cube('pre_aggregations: [{name: p, measures: ["null"]}]'),
      false,
    ],
    ['a shift without a name and an interval', shifts('[{sql: x}]'), true],
    ['a shift with a name', shifts('[{name: x, sql: x}]'), false],
    ['a shift with an interval', shifts('[{interval: 1 year, type: prior, sql: x}]'), false],
    [
      'a list as the join path of a script',
      `// file: a.js\ncube('a', { sql: 's' });\nview('v', { cubes: [{ joinPath: [a], includes: '*' }] });\n`,
      true,
    ],
    [
      'a cube as the join path of a script',
      `// file: a.js\ncube('a', { sql: 's' });\nview('v', { cubes: [{ joinPath: a, includes: '*' }] });\n`,
      false,
    ],
    [
      'half a path among what a view excludes',
      `${cube('measures: []')}\nviews: [{name: v, cubes: [{join_path: orders, includes: "*", excludes: ["id."]}]}]`,
      true,
    ],
    [
      'half a path in a default filter',
      `${cube('measures: []')}\nviews: [{name: v, cubes: [{join_path: orders, includes: "*"}], default_filters: [{member: ".id", operator: set}]}]`,
      true,
    ],
    ['a file that is a number', '5', false],
  ])('are judged alike: %s', async (_, model, isRefused) => {
    expect(await verdict(model)).toEqual({ engine: isRefused, ours: isRefused });
  });

  it('are judged alike where a level of a joined cube begins at the own one', async () => {
    const model = yaml`
      ${cubes('true')}
      views:
        - name: shown
          cubes: [{join_path: orders, includes: [h]}, {join_path: orders.users, includes: [city]}]
    `.replace('measures: [{name: count, type: count}]', 'hierarchies: [{name: h, levels: [CUBE.users.city]}]');
    expect(await verdict(model)).toEqual({ engine: false, ours: false });
  });
});

describe('the own cube in a script', () => {
  const script = (description: string): string =>
    "// file: a.js\nconst made = () => ({ type: 'sum', sql: (CUBE) => `${CUBE}.a` });\n" +
    `cube('a', { sql: 's', description: ${description}, measures: { a: made() } });\n`;

  it.each([
    ['`${CUBE.nothing}`', true],
    ["((CUBE) => CUBE)('x')", false],
  ])('is known in functions that take it, and not in %s', async (description, isRefused) => {
    expect(await verdict(script(description))).toEqual({ engine: isRefused, ours: isRefused });
  });

  it('is not a mask where a brace stands alone', async () => {
    const model = yaml`
      cubes:
        - name: a
          sql_table: t
          dimensions: [{name: id, sql: id, type: number, mask: "}"}]
    `;
    expect(await verdict(model)).toEqual({ engine: true, ours: true });
  });
});

describe('members that functions of a script make', () => {
  const script = (member: string, measures: string): string =>
    `const kinds = ['a', 'b'];\nconst none = [];\nconst made = (kind) => (${member});\n` +
    `cube('orders', { sql_table: 'orders', measures: ${measures} });\n`;
  const ENTRIES = "{ count: { type: 'count' }, ...Object.fromEntries(kinds.map((kind) => [kind, made(kind)])) }";
  const REDUCED =
    "Object.assign({ count: { type: 'count' } }, kinds.reduce((all, k) => ({ ...all, [k]: made(k) }), {}))";

  it.each([
    ["{ type: 'count', title: `Of ${kind}`, filters: [{ sql: (CUBE) => `${CUBE}.k = '${kind}'` }] }", ENTRIES, false],
    ['{ type: [], title: `Of ${kind}` }', ENTRIES, true],
    ["{ type: 'count', title: 'x', title: `Of ${kind}` }", ENTRIES, false],
    ["{ type: 'count', titel: `Of ${kind}` }", ENTRIES, true],
    ["{ type: 'count', title: `Of ${nothing}` }", ENTRIES, true],
    ["{ type: 'sum', sql: (CUBE) => `${CUBE}.${kind}` }", REDUCED, false],
    ["{ type: 'sum' }", REDUCED, true],
    ["{ type: 'sum', sql: () => `${nothing}` }", REDUCED, true],
    ["{ type: 'count', title: nothing }", '{ a: made(`a`) }', true],
    ["{ type: 'count', title: nothing }", '{ ...Object.fromEntries(none.map((k) => [k, made(k)])) }', false],
    ["{ type: 'count', titel: 'x' }", '{ ...Object.fromEntries(none.map((k) => [k, made(k)])) }', false],
  ])('are %s in %s, which both judge alike', async (member, measures, isRefused) => {
    expect(await verdict(`// file: orders.js\n${script(member, measures)}`)).toEqual({
      engine: isRefused,
      ours: isRefused,
    });
  });
});

const loop = (value: string): string => jinja`
  # file: cubes/events.yml.jinja
  cubes:
    {%- for kind in ['click', 'view'] %}
    - name: ${value}_events
      sql_table: t
      dimensions:
        - name: id
          sql: id
          type: number
    {%- endfor %}
`;

describe('quotes that a template puts into other text', () => {
  it('are an error for the engine and for us, which says what to write', async () => {
    const { refused, ours } = await verdictsOn(engine, Object.fromEntries(filesIn(loop('{{ kind }}'))));
    expect(refused).not.toEqual([]);
    expect(ours).toEqual([
      '`{{ kind }}` comes out in quotes, which break the text around it. Write `{{ kind | safe }}`.',
    ]);
  });

  it('are left out with the filter', async () => {
    const files = Object.fromEntries(filesIn(loop('{{ kind | safe }}')));
    expect(await verdictsOn(engine, files)).toEqual({ refused: [], ours: [] });
  });

  it.each([
    ['a word for nothing among levels', 'levels: ["{{ nothing }}", id]', true],
    ['a member of nothing among levels', 'levels: ["{{ nothing }}.id", id]', true],
    ['a known name among levels', 'levels: ["{{ "id" | safe }}"]', false],
  ])('are judged as by the engine: %s', async (_, levels, isRefused) => {
    const model = jinja`
      cubes:
        - name: orders
          sql_table: orders
          dimensions: [{name: id, sql: id, type: number, primary_key: true}]
          hierarchies: [{name: all, ${levels}}]
    `;
    const { refused, ours } = await verdictsOn(engine, Object.fromEntries(filesIn(model)));
    expect([refused.length > 0, ours.length > 0]).toEqual([isRefused, isRefused]);
  });
});

describe('a value that a filter compares with', () => {
  const ORDERS = `cubes:
  - name: orders
    sql_table: orders
    dimensions: [{name: id, sql: id, type: number, primary_key: true}]
`;
  const filters: Readonly<Record<string, (values: string) => string>> = {
    policy: (values) =>
      `${ORDERS}    access_policy: [{group: a, row_level: {filters: [{member: id, operator: equals, values: ${values}}]}}]`,
    view: (values) =>
      `${ORDERS}views: [{name: v, cubes: [{join_path: orders, includes: "*"}], default_filters: [{member: id, operator: equals, values: ${values}}]}]`,
    stage: (values) =>
      `${ORDERS}    measures: [{name: c, type: count}, {name: m, sql: "{c}", multi_stage: true, type: number, filter: {include: [{member: id, operator: equals, values: ${values}}]}}]`,
  };

  it.each([
    ['policy', '["{"]', true],
    ['policy', '["a{}"]', true],
    ['policy', '["{id +}"]', true],
    ['policy', '["f"]', true],
    ['policy', '["{x y}"]', false],
    ['policy', '["{ }"]', false],
    ['policy', '["\\\\{"]', false],
    ['policy', '["{securityContext.x}"]', false],
    ['policy', '"{"', true],
    ['policy', '"f"', false],
    ['policy', '[5, true]', false],
    ['view', '["{", "a"]', true],
    ['view', '["a{b"]', true],
    ['view', '["{securityContext.x}"]', true],
    ['view', '["{groups} of"]', true],
    ['view', '["{securityContext}"]', false],
    ['view', '["{1}"]', false],
    ['view', '["}"]', false],
    ['stage', '["{"]', true],
    ['stage', '["f"]', true],
    ['stage', '["a"]', false],
  ])('is read as by the engine in a %s: %s', async (place, values, isRefused) => {
    expect(await verdict(filters[place]?.(values) ?? '')).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('a join path of a script that leads to no cube', () => {
  const script = (path: string, includes: string): string => js`
    // file: a.js
    cube('c', { sql: 's', dimensions: { id: { sql: 'id', type: 'number', primaryKey: true } } });
    view('v', { cubes: [{ joinPath: ${path}, includes: ${includes} }] });
  `;

  it.each([
    ['5', "['id']", true],
    ["'d'", "['id']", true],
    ["'c.d'", "['id']", true],
    ['``', "['id']", true],
    ['{}', "['id']", true],
    ['true', "[{ name: 'id', alias: 'x' }]", true],
    ["'c'", "['id']", false],
    ['c', "['id']", false],
    ['5', "'*'", false],
    ["'d.x'", "'*'", false],
    ["'d.d'", "'*'", true],
    ['{}', '[]', false],
  ])('is judged as by the engine: %s with %s', async (path, includes, isRefused) => {
    expect(await verdict(script(path, includes))).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('a path in place of a view or a view group', () => {
  const groups = (group: string, view: string): string => yaml`
    cubes:
      - name: a
        sql_table: t
        dimensions: [{name: id, sql: id, type: number, primary_key: true}]
    view_groups: [{name: all, ${group}}]
    views: [{name: sales, cubes: [{join_path: a, includes: "*"}]${view}}]
  `;

  it.each([
    ['views: [sales]', '', false],
    ['views: [sales.id]', '', true],
    ['includes: ["sales."]', '', true],
    ['includes: [".sales"]', '', true],
    ['includes: [{name: b, includes: [sales.nothing]}]', '', true],
    ['includes: [{name: b, includes: [a]}]', '', true],
    ['includes: [{name: b, includes: [sales]}]', '', false],
    ['title: All', ', view_groups: [all]', false],
    ['title: All', ', view_groups: [all.nothing]', true],
    ['title: All', ', view_groups: ["all."]', true],
  ])('is judged as by the engine: %s%s', async (group, view, isRefused) => {
    expect(await verdict(groups(group, view))).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('a name that is only the prefix of a formatted string of Python', () => {
  const named = (cube: string, member: string, view: string): string => yaml`
    cubes:
      - name: ${cube}
        sql_table: t
        dimensions: [{name: ${member}, sql: x, type: number}]
    views: [{name: ${view}, cubes: [{join_path: ${cube}, includes: "*"}]}]
  `;

  it.each([
    ['a', 'f', 'v', false],
    ['f', 'x', 'v', true],
    ['FR', 'x', 'v', true],
    ['a', 'x', 'rf', true],
    ['ff', 'x', 'fv', false],
  ])('is judged as by the engine: %s.%s in %s', async (cube, member, view, isRefused) => {
    expect(await verdict(named(cube, member, view))).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('empty braces in a block text', () => {
  const measure = (sql: string): string =>
    `cubes:\n  - name: orders\n    sql_table: orders\n    measures:\n      - name: a\n        type: sum\n        sql: ${sql}\n      - {name: b, type: count}\n`;

  it.each([
    ['>-\n          {}', false],
    ['|-\n          {}\n\n', false],
    ['>2-\n          {}', false],
    ['>-  # note\n            {}', false],
    ['"{}"', false],
    ['|\n          {}', true],
    ['>+\n          {}', true],
    ['>-\n\n          {}', true],
    ['>-\n          {} ', true],
    ['>1-\n          {}', true],
    ['|-\n          {}\n          x', true],
    ['|-\n          x\n          {}', true],
  ])('are read as by the engine: %j', async (sql, isRefused) => {
    expect(await verdict(measure(sql))).toEqual({ engine: isRefused, ours: isRefused });
  });
});
