import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';
import { js, yaml } from '#support/language/raw.ts';
import { script } from '#support/language/script-cube.ts';

const CUBES = js`
  cube('orders', {
    sql_table: 'orders',
    joins: { users: { relationship: 'many_to_one', sql: \`\${CUBE}.user_id = \${users}.id\` } },
    measures: { count: { type: 'count' } },
    dimensions: { id: { sql: 'id', type: 'number', primary_key: true }, status: { sql: 'status', type: 'string' } },
  });
  cube('users', {
    sql_table: 'users',
    dimensions: { id: { sql: 'id', type: 'number', primary_key: true }, city: { sql: 'city', type: 'string' } },
  });
`;
const VIEW = `view('shop', { cubes: [{ join_path: orders, includes: '*' }] });`;

/** A model with a view group, a view with further keys, and a view with a default filter. */
const group = (keys: string): string => script(`${CUBES}${VIEW}\nview_group('sales', { ${keys} });`);
const view = (keys: string): string =>
  script(
    `${CUBES}view('shop', { cubes: [{ join_path: orders, includes: '*' }], ${keys} });\nview_group('sales', { title: 'Sales' });`,
  );
const filter = (keys: string): string => view(`default_filters: [{ operator: 'set', ${keys} }]`);
const unless = (value: string): string => filter(`member: 'status', unless: ${value}`);

describe('names that the engine reads from what a script yields', () => {
  // @shows no-false-errors, errors-of-the-engine
  it.each<[string, string, boolean]>([
    ['a list in a list of views', group('views: () => [shop, [shop]]'), false],
    ['lists in lists of views', group('views: [[["shop"]]]'), false],
    ['an empty list in lists of views', group('views: [[[]]]'), true],
    ['an object in place of views', group('views: () => ({})'), true],
    ['no views', group('views: () => { return; }'), true],
    ['a function of another kind in place of views', group('views: function () { return [shop]; }'), true],
    ['a constant function in place of views', group('views: [shop].concat(["shop"])'), false],
    ['a number among what a function includes', group('includes: () => [1, null, undefined, true]'), false],
    ['lists and objects among what a function includes', group('includes: () => [[], {}, "shop"]'), false],
    ['an unknown view among what a function includes', group('includes: () => [1, "nothing"]'), true],
    ['a view that only lists know', group('includes: () => [shop]'), true],
    ['a view that only lists know, in a function', group('includes: function () { return [shop]; }'), true],
    ['a view as the parameter of a function', group('includes: (shop) => [shop]'), false],
    ['a view of a group within the group', group(`includes: [{ name: 'a', includes: [shop] }]`), false],
    ['a view in a list within a list', group('includes: [[shop]]'), true],

    ['no group', view('view_group: undefined'), true],
    ['no groups', view('viewGroups: () => {}'), true],
    ['no group in a getter, which is not evaluated', view('get view_group() { return undefined; }'), false],
    ['an object in place of a group', view('view_group: () => ({})'), true],
    ['a list in a list of groups', view('view_groups: [["sales"]]'), false],
    ['nothing to extend', view('extends: void 0'), true],
    ['nothing to extend, in an object from elsewhere', view('...{ extends: undefined }'), true],

    ['a list in what lifts a filter', unless('[["status"]]'), false],
    ['paths in lists in what lifts a filter', unless('[[CUBE.status], [["orders.status"]]]'), false],
    ['an unknown name in a list in what lifts a filter', unless('[["nothing"]]'), true],
    ['two names in a list in what lifts a filter', unless('[["status", "id"]]'), true],
    ['a path in place of what lifts a filter', unless('CUBE.status'), true],
    ['a path with brackets in place of what lifts a filter', unless('CUBE["status"]'), true],
    ['a function to a path in place of what lifts a filter', unless('() => CUBE.status'), true],
    ['a text from a function in place of what lifts a filter', unless('() => "status"'), true],
    ['a view among what lifts a filter', unless('[CUBE]'), true],
    ['a member from a function', filter('member: () => "status"'), false],
    ['a path from a function', filter('member: () => CUBE.status'), false],
    ['an unknown member from a function', filter('member: () => "nothing"'), true],
    ['a list from a function in place of a member', filter('member: () => ["status"]'), true],
    ['a cube in place of a member', filter('member: orders'), true],
  ])('are judged as by the engine: %s', async (_, text, isRefused) => {
    expect(await verdict(text)).toEqual({ engine: isRefused, ours: isRefused });
  });

  it('may be in a constant that the engine does not evaluate', async () => {
    const text = `${CUBES}const more = { view_group: undefined, extends: undefined };\nview('shop', { cubes: [{ join_path: orders, includes: '*' }], ...more });`;
    expect(await verdict(script(text))).toEqual({ engine: false, ours: false });
  });

  it('may be a list in a constant', async () => {
    const text = `${CUBES}const lifting = ['status'];\nview('shop', { cubes: [{ join_path: orders, includes: '*' }], default_filters: [{ member: 'id', operator: 'set', unless: lifting }] });`;
    expect(await verdict(script(text))).toEqual({ engine: false, ours: false });
  });
});

describe('a member in a default filter of YAML', () => {
  const filtered = (keys: string): string => yaml`
    # file: model/m.yml
    cubes:
      - name: orders
        sql_table: orders
        joins: [{name: users, relationship: many_to_one, sql: "{CUBE}.user_id = {users.id}"}]
        dimensions: [{name: id, sql: id, type: number, primary_key: true}, {name: at, sql: at, type: time}]
      - name: users
        sql_table: users
        dimensions: [{name: id, sql: id, type: number, primary_key: true}, {name: city, sql: city, type: string}]
    views:
      - name: shop
        cubes: [{join_path: orders, includes: "*"}, {join_path: orders.users, includes: [city]}]
        default_filters: [{operator: set, ${keys}}]
  `;

  it.each<[string, boolean]>([
    ['orders.users.city', true],
    ['shop.orders.at', true],
    ['orders.at.day', true],
    ['orders..at', true],
    ['users.city', false],
    ['{orders.users.city}', false],
    ['{orders.users}.city', false],
    ['shop.city', false],
  ])('is judged as by the engine: %s', async (path, isRefused) => {
    const both = { engine: isRefused, ours: isRefused };
    expect(await verdict(filtered(`member: "${path}"`))).toEqual(both);
    expect(await verdict(filtered(`member: at, unless: ["${path}"]`))).toEqual(both);
  });

  it.each(['orders.', '.at'])('is judged as by the engine where half of it is missing: %s', async (path) => {
    expect(await verdict(filtered(`member: at, unless: ["${path}"]`))).toEqual({ engine: true, ours: true });
  });
});

describe('other values that the engine reads by rules of their own', () => {
  const cube = (keys: string): string => yaml`
    # file: model/m.yml
    cubes:
      - name: orders
        sql_table: orders
        dimensions: [{name: at, sql: at, type: time}]
        measures: [{name: count, type: count}]
        pre_aggregations: [{name: p, measures: [count], granularity: day, time_dimension: at}]
        ${keys}
  `;
  const rollup = (time: string): string =>
    cube('').replace('granularity: day, time_dimension: at', `time_dimension: ${time}, granularity: day`);

  it.each<[string, string, boolean]>([
    ['an operation in a list of times', rollup('["a-b"]'), true],
    ['a star in a list of times', rollup('["*"]'), true],
    ['a word in a list of times', rollup('["not"]'), true],
    ['a reserved word in a list of times', rollup('["class"]'), true],
    ['a path in a list of times', rollup('["{CUBE.at}"]'), false],
    ['a word that is skipped in a list of times', rollup('["in"]'), false],
    ['policies under a key that is read too late', cube('_access_policy: [{group: a}]'), false],
    ['a policy under a key that is read too late', cube('_access_policy: x'), false],
    ['measures under a key that is read too late', cube('_measures: [{name: a, type: count}]'), false],
  ])('are judged as by the engine: %s', async (_, text, isRefused) => {
    expect(await verdict(text)).toEqual({ engine: isRefused, ours: isRefused });
  });

  it.each(['NaN', '0n', 'Number("x")', '0 / 0', 'null', '""'])('has a type without a value: %s', async (type) => {
    const text = `cube('a', { sql_table: 't', measures: { n: { type: 'count' } }, pre_aggregations: { p: { measures: [CUBE.n], type: ${type} } } });`;
    expect(await verdict(script(text))).toEqual({ engine: false, ours: false });
  });
});
