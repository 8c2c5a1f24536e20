import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';
import { js } from '#support/language/raw.ts';
import { script } from '#support/language/script-cube.ts';

/** A cube whose members are made by functions that pass on what they are given. */
const made = (dimension: string, measure = `{ type: 'count' }`): string =>
  script(js`
    const dimension = ({ type = 'string', ...more }) => ({ sql: () => 'id', type, title: more.title, ...more });
    cube('orders', {
      sql_table: 'orders',
      dimensions: { id: { sql: 'id', type: 'number', primary_key: true }, other: dimension(${dimension}) },
      measures: { total: ${measure} },
    });
  `);
const measure = (keys: string): string => made('{}', `{ sql: 'id', type: 'sum', ${keys} }`);

describe('a key with `undefined` in a script', () => {
  // @shows no-false-errors, errors-of-the-engine
  it.each<[string, string, boolean]>([
    ['an optional key', made('{ description: undefined, format: undefined, meta: undefined }'), false],
    ['granularities of a text', made('{ granularities: undefined }'), false],
    ['choices of a text', made('{ values: undefined }'), false],
    ['a currency of a text', made('{ currency: undefined }'), false],
    ['what is never resolved', made('{ add_group_by: undefined }'), false],
    ['a case beside SQL', made('{ case: undefined }'), true],
    ['a latitude beside SQL', made('{ latitude: undefined }'), true],
    ['a shift in time of a text', made('{ time_shift: undefined }'), true],
    ['a key of nothing', made('{ bogus: undefined }'), true],
    ['the name of a member', made('{ name: undefined }'), true],
    ['an optional key of a measure', measure('rolling_window: undefined, filters: undefined'), false],
    ['members to drill into, by their old name', measure('drill_member_references: undefined'), false],
    ['a case of a measure', measure('case: undefined'), true],
    ['a filter of a measure that is not multi-stage', measure('filter: undefined'), true],
    ['an order of a measure that is not multi-stage', measure('orderBy: void 0'), true],
    ['whether a measure is multi-stage', measure('multi_stage: undefined'), true],
  ])('is judged as by the engine: %s', async (_, text, isRefused) => {
    expect(await verdict(text)).toEqual({ engine: isRefused, ours: isRefused });
  });

  const policy = (keys: string): string =>
    script(js`
      cube('orders', {
        sql_table: 'orders',
        dimensions: { id: { sql: 'id', type: 'number' } },
        access_policy: [{ ${keys} }],
      });
    `);

  it.each<[string, string, boolean]>([
    ['one of two keys of a policy', policy(`group: 'a', groups: undefined`), false],
    ['one of two keys of the rows', policy(`group: 'a', row_level: { allow_all: true, filters: undefined }`), false],
    [
      'the other form of a filter',
      policy(`group: 'a', row_level: { filters: [{ member: 'id', operator: 'set', or: undefined }] }`),
      true,
    ],
  ])('is judged as by the engine: %s', async (_, text, isRefused) => {
    expect(await verdict(text)).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('`name` in a member of a script', () => {
  it.each([
    ['a dimension', `dimensions: { id: { name: 'id', sql: 'id', type: 'number' } }`],
    ['a measure', `measures: { all: { name: 'all', type: 'count' } }`],
    ['a segment', `segments: { paid: { name: 'paid', sql: 'x' } }`],
    [
      'a hierarchy',
      `dimensions: { id: { sql: 'id', type: 'number' } }, hierarchies: { h: { name: 'h', title: 'H', levels: [CUBE.id] } }`,
    ],
    [
      'a pre-aggregation',
      `measures: { all: { type: 'count' } }, pre_aggregations: { p: { name: 'p', measures: [CUBE.all] } }`,
    ],
    [
      'a granularity',
      `dimensions: { at: { sql: 'at', type: 'time', granularities: { half: { name: 'half', interval: '6 months' } } } }`,
    ],
  ])('is refused as by the engine: %s', async (_, keys) => {
    expect(await verdict(script(`cube('orders', { sql_table: 'orders', ${keys} });`))).toEqual({
      engine: true,
      ours: true,
    });
  });

  it('is the name of a join, and of what is listed', async () => {
    const text = js`
      cube('users', { sql_table: 'users', dimensions: { id: { sql: 'id', type: 'number', primary_key: true } } });
      cube('orders', {
        sql_table: 'orders',
        dimensions: { id: { sql: 'id', type: 'number', primary_key: true } },
        joins: [{ name: 'users', relationship: 'many_to_one', sql: \`\${CUBE}.u = \${users.id}\` }],
      });
      view('v', { cubes: [{ join_path: 'orders', includes: '*' }], folders: [{ name: 'a', includes: ['id'] }] });
    `;
    expect(await verdict(script(text))).toEqual({ engine: false, ours: false });
  });
});

describe('a value of a script that counts as missing', () => {
  const cube = (keys: string): string =>
    script(js`
      cube('users', { sql_table: 'users', dimensions: { id: { sql: 'id', type: 'number', primary_key: true } } });
      cube('orders', {
        sql_table: 'orders',
        dimensions: { id: { sql: 'id', type: 'number', primary_key: true }, at: { sql: 'at', type: 'time' } },
        ${keys}
      });
    `);
  const index = (type: string): string =>
    cube(
      `measures: { all: { type: 'count' } }, pre_aggregations: { p: { measures: [CUBE.all], dimensions: [CUBE.id], indexes: { i: { columns: [CUBE.id], type: ${type} } } } },`,
    );
  const shifted = (list: string): string =>
    cube(
      `measures: { all: { type: 'count' }, last: { type: 'number', sql: \`\${all}\`, multi_stage: true, time_shift: [{ time_dimension: ${list}, interval: '1 year', type: 'prior' }] } },`,
    );

  it.each<[string, string, boolean]>([
    ['the type of an index', index('false'), false],
    ['the type of an index, by a number', index('0'), false],
    ['another type of an index', index('true'), true],
    ['a hole in place of the time of a shift', shifted('[,]'), false],
    ['nothing in place of the time of a shift', shifted('[undefined]'), true],
    ['an unknown name in a list in place of the time of a shift', shifted('[nothing]'), true],
    ['names in a list in place of the time of a shift', shifted('[CUBE.at, at]'), false],
    ['members that are not there', cube('measures: [undefined],'), true],
    ['holes in place of members', cube('measures: [,], segments: [,],'), false],
    [
      'a key of a join that occurs twice',
      cube(`joins: { users: { sql: 'x', sql: \`\${CUBE}.u = \${users.id}\`, relationship: 'many_to_one' } },`),
      false,
    ],
  ])('is judged as by the engine: %s', async (_, text, isRefused) => {
    expect(await verdict(text)).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('a value that only a script can give', () => {
  const keyed = (key: string): string =>
    script(js`
      const PATH = 'orders.id';
      cube('orders', {
        sql_table: 'orders',
        dimensions: { id: { sql: 'id', type: 'number' }, label: { sql: 'label', type: 'string', key: ${key} } },
      });
    `);
  const drilled = (members: string): string =>
    script(js`
      cube('orders', {
        sql_table: 'orders',
        dimensions: { id: { sql: 'id', type: 'number' } },
        measures: { all: { type: 'count', ${members} } },
      });
    `);
  const named = (name: string): string =>
    script(
      `cube('orders', { name: ${name}, sql_table: 'orders', dimensions: { id: { sql: 'id', type: 'number' } } });`,
    );

  it.each<[string, string, boolean]>([
    ['a key by its path', keyed(`'orders.id'`), false],
    ['a key by its path in backticks', keyed('`orders.id`'), false],
    ['a key by a constant', keyed('PATH'), false],
    ['a key by its bare name', keyed(`'id'`), true],
    ['a key by its bare name in backticks', keyed('`id`'), true],
    ['a key by an unknown path', keyed(`'orders.nothing'`), true],
    ['a list of keys', keyed('[CUBE.id]'), true],
    ['a number in place of a key', keyed('5'), true],
    ['an object in place of a key', keyed('{}'), true],
    ['a list under the old name of members to drill into', drilled('drill_member_references: [id]'), true],
    ['that list in the other spelling', drilled('drillMemberReferences: [id]'), false],
    ['a function under the old name', drilled(`drill_member_references: (CUBE) => [CUBE.id]`), false],
    ['another name in the object of a cube', named(`'other'`), false],
    ['no name in the object of a cube', named('null'), false],
    ['a list in place of that name', named('[]'), false],
  ])('is judged as by the engine: %s', async (_, text, isRefused) => {
    expect(await verdict(text)).toEqual({ engine: isRefused, ours: isRefused });
  });
});
