import { describe, expect, it } from 'vitest';
import { problemsOf } from '#support/language/problems.ts';
import { yaml } from '#support/language/raw.ts';
import { matrixEngine } from '#support/language/matrix/engine.ts';
import { runMatrix } from '#support/language/matrix/run-matrix.ts';

/** Every mutant of so many is judged here; `npm run test:matrix` judges all of them. */
const SHARE = 1200;

describe('a sample of all changes that the schema of the engine suggests', () => {
  // @shows no-false-errors, errors-of-the-engine
  it('is refused by the engine where we report an error, and nowhere else', async () => {
    const { counts, differences } = await runMatrix(await matrixEngine(), SHARE, 7);
    expect(differences.map(({ name, engine, ours }) => ({ name, engine, ours }))).toEqual([]);
    const all = Object.values(counts);
    expect(all.reduce((sum, { judged }) => sum + judged, 0)).toBeGreaterThan(30);
    expect(all.reduce((sum, { refused }) => sum + refused, 0)).toBeGreaterThan(10);
    expect(all.reduce((sum, { judged, refused }) => sum + judged - refused, 0)).toBeGreaterThan(1);
  });
});

describe('keys in other spellings', () => {
  // @shows no-false-errors, errors-of-the-engine
  it('are accepted where the engine converts them, and nowhere else', async () => {
    const { counts, differences } = await runMatrix(await matrixEngine(), 20, 3, 'respelled');
    expect(differences.map(({ name, engine, ours }) => ({ name, engine, ours }))).toEqual([]);
    expect(counts.respelled.refused).toBeGreaterThan(20);
    expect(counts.respelled.judged - counts.respelled.refused).toBeGreaterThan(10);
  });
});

describe('a difference that the matrix found', () => {
  const errorsIn = (rest: string): number =>
    problemsOf({
      'm.yml': yaml`
        cubes:
          - name: orders
            sql_table: orders
            ${rest}
      `,
    }).filter(({ severity }) => severity === 'error').length;

  it.each([
    ['a quoted boolean of a dimension', 'dimensions: [{name: id, sql: id, type: number, multi_stage: "true"}]'],
    ['a text where a measure cannot have granularities', 'measures: [{name: c, type: count, granularities: abc}]'],
    ['a text where a measure cannot have indexes', 'measures: [{name: c, type: count, indexes: abc}]'],
    ['a key that the engine adds to dimensions', 'dimensions: [{name: id, sql: id, type: number, key_reference: abc}]'],
    ['indexes where the engine passes over them', 'dimensions: [{name: id, sql: id, type: number, indexes: abc}]'],
    ['a word behind an expression', 'measures: [{name: c, type: count, drill_members: "1 day"}]'],
    ['a word behind a mask', 'dimensions: [{name: id, sql: id, type: number, mask: "1 day"}]'],
    ['a word behind a reference in braces', 'measures: [{name: c, type: count, drill_members: "{c} day"}]'],
    [
      'a word behind a member in SQL',
      'dimensions: [{name: a, sql: a, type: number}, {name: b, sql: "{a x}", type: number}]',
    ],
    ['a boolean in braces', 'dimensions: [{name: id, sql: id, type: number, primary_key: "{true} day"}]'],
    ['a boolean with half of its braces', 'dimensions: [{name: id, sql: id, type: number, primary_key: "{true"}]'],
    ['an empty list of a plain dimension', 'dimensions: [{name: id, sql: id, type: number, add_group_by: ""}]'],
    [
      'lists of names and mappings for a time dimension',
      'pre_aggregations: [{name: m, time_dimension: [id], granularity: day}, {name: n, time_dimension: {a: [5]}, granularity: day}]',
    ],
    ['a refresh key of spaces', 'refresh_key: {every: "  "}'],
    [
      'an index whose type is empty',
      'pre_aggregations: [{name: m, type: original_sql, indexes: [{name: a, columns: [x], type: ""}]}]',
    ],
  ])('is no longer reported: %s', (_, rest) => {
    expect(errorsIn(rest)).toBe(0);
  });

  it.each([
    ['a path among what a view excludes', 'excludes: [orders.id]', 1],
    ['names among what a view excludes', 'excludes: [id]', 0],
  ])('is judged as by the engine: %s', (_, excludes, count) => {
    const text = yaml`
      cubes:
        - name: orders
          sql_table: orders
          dimensions: [{name: id, sql: id, type: number}, {name: day, sql: day, type: time}]
      views:
        - name: shown
          cubes: [{join_path: orders, includes: "*", ${excludes}}]
      view_groups:
        - name: group
          title: "Braces are {text} here"
          includes: [shown]
    `;
    expect(problemsOf({ 'm.yml': text }).filter(({ severity }) => severity === 'error')).toHaveLength(count);
  });

  it.each([
    [
      'two indexes of one name',
      'pre_aggregations: [{name: m, type: original_sql, indexes: [{name: a, columns: [x]}, {name: a, columns: [y]}]}]',
    ],
    ['a lone brace among dimensions', 'pre_aggregations: [{name: m, dimensions: [id, "{"]}]'],
    ['empty braces among dimensions', 'pre_aggregations: [{name: m, dimensions: ["{}"]}]'],
    ['a lone brace behind a name', 'measures: [{name: c, type: count, drill_members: ["id {"]}]'],
    [
      'a closing brace for a time dimension',
      'pre_aggregations: [{name: m, dimensions: [id], time_dimension: "}", granularity: day}]',
    ],
    [
      'a negation without a value in SQL',
      'dimensions: [{name: a, sql: a, type: number}, {name: b, sql: "{a not}", type: number}]',
    ],
    ['a join by a path', 'joins: [{name: users.id, relationship: many_to_one, sql: "{CUBE}.a = {CUBE}.b"}]'],
    ['a cube that extends a member', 'extends: orders.id'],
    ['a cube that extends `true`', 'extends: "true"'],
    ['a dimension whose key is `true`', 'dimensions: [{name: id, sql: id, type: number, key: "true"}]'],
    ['a dimension whose key is a number', 'dimensions: [{name: id, sql: id, type: number, key: "1 day"}]'],
    ['a keyword behind an expression', 'dimensions: [{name: id, sql: id, type: number, key: "nope def"}]'],
    [
      'a list with a mapping for a time dimension',
      'pre_aggregations: [{name: m, dimensions: [id], time_dimension: [{name: x}], granularity: day}]',
    ],
    [
      'a list with a number for a time dimension',
      'pre_aggregations: [{name: m, dimensions: [id], time_dimension: [id, 5], granularity: day}]',
    ],
    [
      'a list in a list for a time dimension',
      'pre_aggregations: [{name: m, dimensions: [id], time_dimension: [[id]], granularity: day}]',
    ],
  ])('is no longer missed: %s', (_, rest) => {
    expect(errorsIn(rest)).toBeGreaterThan(0);
  });
});

describe('a hierarchy that a view includes', () => {
  const errorsOf = (levels: string, includes: string): number =>
    problemsOf({
      'm.yml': yaml`
        cubes:
          - name: orders
            sql_table: orders
            dimensions: [{name: id, sql: id, type: number, primary_key: true}]
            hierarchies: [{name: by_id, levels: ${levels}}]
        views:
          - name: shown
            cubes: [{join_path: orders, includes: ${includes}}]
      `,
    }).filter(({ severity }) => severity === 'error').length;

  it.each([
    ['id', '[id]', 0],
    ['{}', '[id]', 0],
    ['id', '[by_id]', 1],
    ['true', '"*"', 1],
    ['[id]', '"*"', 0],
  ])('has a list of levels: %s with %s', (levels, includes, count) => {
    expect(errorsOf(levels, includes)).toBe(count);
  });

  it('leaves a folder with an unknown member wrong', () => {
    const text = yaml`
      cubes:
        - name: orders
          sql_table: orders
          dimensions: [{name: id, sql: id, type: number, primary_key: true}, {name: city, sql: c, type: string}]
          hierarchies: [{name: places, levels: [city]}]
      views:
        - name: shown
          cubes: [{join_path: orders, includes: [id, places]}]
          folders: [{name: all, includes: [id, city, nothing]}]
    `;
    const found = problemsOf({ 'm.yml': text }).filter(({ severity }) => severity === 'error');
    expect(found.map(({ text: marked }) => marked)).toEqual(['nothing']);
  });

  it('brings the levels of joined cubes along', () => {
    const text = yaml`
      cubes:
        - name: orders
          sql_table: orders
          joins: [{name: users, relationship: many_to_one, sql: "{CUBE}.user_id = {users.id}"}]
          dimensions: [{name: id, sql: id, type: number, primary_key: true}]
          hierarchies: [{name: places, levels: [users.state, users.city]}]
        - name: users
          sql_table: users
          dimensions: [{name: id, sql: id, type: number, primary_key: true}, {name: city, sql: c, type: string}, {name: state, sql: s, type: string}]
      views:
        - name: shown
          cubes: [{join_path: orders, includes: "*"}, {join_path: orders.users, prefix: true, includes: [id]}]
          folders: [{name: places, includes: [users_state, users_nothing]}]
    `;
    const found = problemsOf({ 'm.yml': text }).filter(({ severity }) => severity === 'error');
    expect(found.map(({ text: marked }) => marked)).toEqual(['users_nothing']);
  });
});

describe('a join path of a view', () => {
  const errorsOf = (path: string, includes: string): readonly string[] =>
    problemsOf({
      'm.yml': yaml`
        cubes:
          - name: orders
            sql_table: orders
            dimensions: [{name: id, sql: id, type: number, primary_key: true}]
        views:
          - name: shown
            cubes: [{join_path: ${path}, includes: ${includes}}]
      `,
    }).flatMap(({ severity, message }) => (severity === 'error' ? [message] : []));

  it.each([
    ['CUBE.orders', '"*"', 'CUBE'],
    ['CUBE', '[id]', 'CUBE'],
    ['shown.orders', '"*"', 'shown'],
  ])('does not begin at the view itself: %s with %s', (path, includes, head) => {
    expect(errorsOf(path, includes)).toEqual([
      `A join path begins with the name of a cube, and \`${head}\` is this view.`,
    ]);
  });

  it.each([
    ['5', '[id]', 1],
    ['true', '[id]', 1],
    ['5.5', '"*"', 1],
    ['5', '"*"', 0],
  ])('is not a number: %s with %s', (path, includes, count) => {
    expect(errorsOf(path, includes)).toHaveLength(count);
  });

  it('begins at a cube', () => {
    expect(errorsOf('orders', '[id]')).toEqual([]);
  });
});

describe('a join', () => {
  const warned = (sql: string): readonly string[] =>
    problemsOf({
      'm.yml': yaml`
        cubes:
          - name: orders
            sql_table: orders
            joins: [{name: part, relationship: many_to_one, sql: "${sql}"}]
            dimensions: [{name: id, sql: id, type: number, primary_key: true}]
          - name: part
            sql_table: part
            dimensions: [{name: id, sql: id, type: number, primary_key: true}]
      `,
    }).map(({ code }) => code);

  it('may name the other cube by the alias that it has in the query', () => {
    expect(warned('{CUBE}.pk = part.id')).toEqual([]);
    expect(warned('{CUBE}.pk = PART.id')).toEqual([]);
    expect(warned('{CUBE}.pk = apart.id')).toEqual(['join-without-target']);
  });
});
