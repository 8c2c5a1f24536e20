import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';
import { problemsOf } from '#support/language/problems.ts';
import { js, yaml } from '#support/language/raw.ts';

describe('the value of a context in place of a member', () => {
  const members = (value: string): string => yaml`
    cubes:
      - name: orders
        sql_table: orders
        dimensions: [{name: id, sql: id, type: number, primary_key: true}, {name: groups, sql: g, type: string}]
        measures: [{name: count, type: count, drill_members: [${value}]}]
  `;

  it.each([
    ['securityContext.x', true],
    ['"{securityContext.x"', true],
    ['"{SECURITY_CONTEXT.x.y} day"', true],
    ['"SQL_UTILS.convertTz(id)"', true],
    ['userAttributes.id', true],
    ['user_attributes', true],
    ['"FILTER_GROUP()"', true],
    ['securityContext', false],
    ['securityContext.toString', false],
    ['"not securityContext.x"', false],
    ['groups', true],
    ['CUBE.groups', false],
  ])('is %s, which both judge alike', async (value, isRefused) => {
    expect(await verdict(members(value))).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('a member with the name of a context', () => {
  const script = (drill: string): string =>
    `// file: a.js\ncube('a', { sql: 's', dimensions: { groups: { sql: 'g', type: 'string' } },\n` +
    `  measures: { count: { type: 'count', drillMembers: [${drill}] } } });\n`;

  it.each([
    ['groups', false],
    ['user_attributes', true],
    ['securityContext.x', true],
  ])('is found first in a script, as by the engine: %s', async (drill, isRefused) => {
    expect(await verdict(script(drill))).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('two words in braces', () => {
  const members = (value: string): string => yaml`
    cubes:
      - name: orders
        sql_table: orders
        dimensions:
          - {name: id, sql: id, type: number, primary_key: true}
          - {name: status, sql: status, type: string, sub_query: "{true false}"}
        measures: [{name: count, type: count, drill_members: ["${value}"]}]
  `;

  it.each([
    ['{CUBE x}.status', true],
    ['{id nothing}', true],
    ['{CUBE.id nothing}', true],
    ['{CUBE}.id x', false],
    ['{nothing id}', false],
    ['{nothing() id}', false],
    ['{id nothing', false],
    ['{id or status}', false],
  ])('are read as the second one: %s', async (value, isRefused) => {
    expect(await verdict(members(value))).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('lists that the engine takes from every member', () => {
  const cube = (key: string, { index = '', measure = '', segment = '', hierarchy = '', dimension = '' }): string =>
    yaml`
      cubes:
        - name: orders
          sql_table: orders
          dimensions:
            - {name: id, sql: id, type: number, primary_key: true}
            - {name: day, sql: d, type: time${dimension}}
          measures: [{name: count, type: count${measure}}]
          segments: [{name: paid, sql: x${segment}}]
          hierarchies: [{name: h, levels: [id]${hierarchy}}]
          pre_aggregations:
            - {name: main, measures: [count], dimensions: [id], indexes: [{name: i, columns: [id]${index}}]}
    `.replaceAll('KEY', key);

  it.each([
    ['granularities: [{nme: "{nothing}"}]', false],
    ['indexes: {a: 1}', false],
    ['timeShift: false', false],
    ['timeShift: [{name: x}]', true],
    ['levels_: 1', true],
  ])('are ignored where they mean nothing: %s', async (key, isRefused) => {
    for (const place of ['index', 'measure', 'segment', 'hierarchy'])
      expect({ place, ...(await verdict(cube(key, { [place]: ', KEY' }))) }).toEqual({
        place,
        engine: isRefused,
        ours: isRefused,
      });
  });

  it.each([
    ['indexes: null', false],
    ['Granularities: 0', false],
    ['granularities: abc', true],
  ])('are read where they mean something: %s', async (key, isRefused) => {
    expect(await verdict(cube(key, { dimension: ', KEY' }))).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('keys with capital letters', () => {
  it.each([
    ['dimensions: [{name: id, Sql: id, type: number, Primary_Key: true}]', false],
    ['access_policy: [{Group: admin, row_level: {Allow_All: true}}]', false],
    ['dimensions: [{Name: id, sql: id, type: number}]\nhierarchies: [{name: h, levels: [id]}]', false],
    ['segments: [{Name: a, sql: a}]', true],
    ['dimensions: [{Name: id, sql: id, type: number}, {name: id, sql: x, type: number}]', true],
    ['measures: [{name: a, sql: a, type: Count_distinct}]', false],
    ['measures: [{name: a, sql: a, type: CountDistinct}]', true],
    ['measures: [{name: a, SQL: a, type: sum}]', true],
    ['segments: [{name: a, sql: a, Title: A}]', true],
    ['refresh_key: {Every: 1 hour}', true],
    ['hierarchies: [{name: a, Levels: []}]', true],
  ])('are converted as by the engine: %s', async (rest, isRefused) => {
    const model = yaml`
      cubes:
        - name: orders
          Sql_table: orders
          ${rest}
    `;
    expect(await verdict(model)).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('the top level of a file', () => {
  it.each([
    ['  - name: a\n    sql_table: t', true],
    ['  - name: a\n    sql_table: t\ncubes:\n  - name: b\n    sql_table: t', true],
    ['  abc', true],
    ['  # Nothing yet.\ncubes: []', false],
    ['  cubes: []', false],
    ['  cubes: []\nviews: []', true],
    ['  {cubes: [], views: []}', false],
    ['[]', false],
    ['""', false],
    ['"0"', true],
    ['2024-01-01', false],
    ['cubes: 0', false],
    ['views: false', false],
    ['view_groups: .nan', false],
    ['cubes: "null"', true],
    ['cubes: 2024-01-01', true],
  ])('is %j, which both judge alike', async (text, isRefused) => {
    expect(await verdict(text)).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('aliases of YAML', () => {
  it.each([
    [
      'a name that a view includes',
      'measures: [{name: count, type: &a count}, {name: x, type: count, title: *a}]',
      '[*a]',
    ],
    [
      'the flag of a stage',
      'measures: [{name: c, type: count, public: &a true}, {name: x, type: rank, sql: "{c}", order_by: [{sql: "{c}"}], multi_stage: *a}]',
      '"*"',
    ],
  ])('are not known, and no error: %s', async (_, measures, includes) => {
    const model = yaml`
      cubes:
        - name: orders
          sql_table: orders
          dimensions: [{name: id, sql: id, type: number, primary_key: true}]
          ${measures}
      views:
        - name: shown
          cubes: [{join_path: orders, includes: ${includes}}]
          folders: [{name: all, includes: [${includes === '"*"' ? 'id' : 'count'}]}]
    `;
    expect(await verdict(model)).toEqual({ engine: false, ours: false });
  });
});

describe('a byte order mark', () => {
  it('is not a text of a template that renders nothing else', async () => {
    const macro = '\uFEFF{% macro id() %}\n{% endmacro %}\n';
    expect(await verdict(`# file: macros.jinja\n${macro}`)).toEqual({ engine: false, ours: false });
  });
});

describe('the key of a dimension', () => {
  it.each([
    ['CUBE.id', false],
    ['CUBE . id', false],
    ['{CUBE}.id}', false],
    ['CUBE.id or CUBE.status', false],
    ['CUBE}.id', true],
    ['{CUBE.{id}', true],
    ['CUBE.status', true],
    ['CUBE.other', true],
    ['CUBE.id()', true],
    ['not CUBE.id', true],
    ["'CUBE.id'", true],
    ['f', true],
    ['#', true],
  ])('is %s, which both judge alike', async (key, isRefused) => {
    const model = yaml`
      cubes:
        - name: orders
          sql_table: orders
          dimensions:
            - {name: id, sql: id, type: number, primary_key: true}
            - {name: status, sql: status, type: string, key: "${key}"}
            - {name: other, sql: other, type: string, key: CUBE.id}
    `;
    expect(await verdict(model)).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('a reference', () => {
  it.each([
    ['drill_members: ["id()"]', true],
    ['drill_members: ["{CUBE.id()}"]', true],
    ['drill_members: ["CUBE()"]', true],
    ['drill_members: ["id}.nothing"]', false],
    ['drill_members: ["{id}.nothing"]', true],
    ['drill_members: ["f"]', true],
    ['drill_members: ["#"]', false],
    ['drill_members: "#"', true],
    ['drill_members: "\'id\'"', true],
    ['drill_members: ["\'id\'"]', false],
  ])('is read as by the engine: %s', async (rest, isRefused) => {
    const model = yaml`
      cubes:
        - name: orders
          sql_table: orders
          dimensions: [{name: id, sql: id, type: number, primary_key: true}]
          measures: [{name: count, type: count, ${rest}}]
    `;
    expect(await verdict(model)).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('a key of other dimensions in a switch dimension', () => {
  const written = (key: string, value: string): string => yaml`
    cubes:
      - name: orders
        sql_table: orders
        dimensions: [{name: id, sql: id, type: number, primary_key: true}, {name: unit, type: switch, values: [a], ${key}: ${value}}]
  `;

  it.each([
    ['key_reference', 'id'],
    ['key', 'CUBE.id'],
    ['order', 'asc'],
    ['title', 'Unit'],
    ['currency', 'EUR'],
    ['sql', 'unit'],
    ['multi_stage', 'true'],
    ['values_as_segments', 'true'],
  ])('is refused as by the engine: %s', async (key, value) => {
    expect(await verdict(written(key, value))).toEqual({ engine: true, ours: true });
  });
});

describe('a join of a script that is not written as an object', () => {
  const script = (joins: string): string => js`
    // file: a.js
    const held = { relationship: 'belongsTo', sql: \`a\` };
    cube('b', { sql: 's', dimensions: { id: { sql: 'id', type: 'number', primaryKey: true } } });
    cube('orders', { sql: 's', dimensions: { id: { sql: 'id', type: 'number', primaryKey: true } }, joins: ${joins} });
  `;

  it.each([
    ['{ b: x }', false],
    ['{ b }', false],
    ['{ b: x.y() }', false],
    ['{ b: [x] }', false],
    ['{ b: CUBE.x }', false],
    ['{ b: held, c: `${x}` }', false],
    ['{ b: x, c() {} }', true],
    ['{ b: x, ...{} }', true],
    ['{ b: { relationship: x, sql: `a` } }', true],
    ['[x]', true],
    ['x', true],
  ])('is left out, as by the engine: %s', async (joins, isRefused) => {
    expect(await verdict(script(joins))).toEqual({ engine: isRefused, ours: isRefused });
  });

  it('is marked, because the model has no such join', () => {
    const found = problemsOf({ 'a.js': script('{ b: held }').replace(/^.*\n/, '') });
    expect(found.map(({ severity, text, message }) => ({ severity, text, message }))).toEqual([
      {
        severity: 'warning',
        text: 'b',
        message: 'The engine ignores the join to `b`: write its value here as an object, `{ relationship, sql }`.',
      },
    ]);
  });
});

describe('a parent that is not the name of a cube', () => {
  const model = (parent: string): string => yaml`
    cubes:
      - name: a
        sql_table: t
        dimensions: [{name: id, sql: id, type: number, primary_key: true}]
      - name: b
        extends: ${parent}
  `;

  it.each([
    'a.constructor.constructor(1)',
    'a.id',
    'a()',
    'a.sql()',
    'a.id.x(1)',
    '"a(id(c))"',
    'a.id[0].c',
    'a if b else c',
    'nothing.x(1)',
    'CUBE.x',
    'x.constructor.constructor(1)',
    '[a]',
  ])('has one problem: %s', async (parent) => {
    expect(await verdict(model(parent))).toEqual({ engine: true, ours: true });
    expect(problemsOf({ 'a.yml': model(parent) })).toHaveLength(1);
  });

  it.each([
    ['a.id', true],
    ['a', false],
  ])('is judged as by the engine in a script: %s', async (parent, isRefused) => {
    const script = js`
      // file: a.js
      cube('a', { sql: 's', dimensions: { id: { sql: 'id', type: 'number', primaryKey: true } } });
      cube('b', { extends: ${parent} });
    `;
    expect(await verdict(script)).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('a property of all objects in place of a member', () => {
  it.each([
    ['a.constructor', false],
    ['a.toString()', false],
    ['a.valueOf()', true],
    ['a.constructor.x', true],
    ['id.constructor()', true],
    ['CUBE.constructor.name', true],
  ])('is judged as by the engine: %s', async (member, isRefused) => {
    const model = yaml`
      cubes:
        - name: a
          sql_table: t
          dimensions: [{name: id, sql: id, type: number, primary_key: true}]
          measures: [{name: c, type: count, drill_members: [${member}]}]
    `;
    expect(await verdict(model)).toEqual({ engine: isRefused, ours: isRefused });
  });
});
