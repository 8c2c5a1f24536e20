import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';
import { cube, script } from '#support/language/script-cube.ts';

const USERS = `cube('users', { sql_table: 'users', dimensions: { id: { sql: 'id', type: 'number', primary_key: true }, city: { sql: 'city', type: 'string' } } });\n`;
const JOINS = `joins: { users: { relationship: 'many_to_one', sql: \`\${CUBE}.user_id = \${users}.id\` } }`;

const dimension = (sql: string, more = ''): string =>
  script(`${USERS}${cube(`${JOINS}, measures: { n: { type: 'sum', ${more} sql: ${sql} } }`)}`);

describe('SQL of a script that ends with an error', () => {
  it.each<[string, string, boolean]>([
    ['at once', '() => { throw new Error("not yet"); }', true],
    ['in a block', '() => { { throw 1; } }', true],
    ['in a branch that is always taken', '() => { if (true) throw 1; return `1`; }', true],
    ['in a branch that is never taken', '() => { if (false) throw 1; return `1`; }', false],
    ['for each item of a list', '() => { for (const a of [1]) throw a; }', true],
    ['for each item of an empty list', '() => { for (const a of []) throw a; return `1`; }', false],
    ['behind its result', '() => { return `1`; throw 1; }', false],
    ['where it is caught', '() => { try { throw 1; } catch { return `1`; } }', false],
    ['where the result replaces it', '() => { try { throw 1; } finally { return `1`; } }', false],
    ['in a function that it calls', '() => { const f = () => { throw 1; }; return f(); }', true],
    ['in a function that it does not call', '() => { const f = () => { throw 1; }; return `1`; }', false],
    ['behind a branch that leaves', '() => { a: { break a; throw 1; } return `1`; }', false],
    ['in a function that is not called', 'function () { throw 1; }', false],
    ['in an asynchronous arrow, which the engine makes a plain one', 'async () => { throw 1; }', true],
  ])('is refused if the engine runs the code: %s', async (_, sql, isRefused) => {
    expect(await verdict(dimension(sql))).toEqual({ engine: isRefused, ours: isRefused });
  });

  it.each<[string, string]>([
    ['a cube', `cube('z', { sql: () => { throw 1; }, measures: { n: { type: 'count' } } });`],
    [
      'a subquery',
      `cube('z', { sql_table: 't', dimensions: { id: { sql: 'id', type: 'number', primary_key: true }, d: { type: 'number', sub_query: true, sql: () => { throw 1; } } } });`,
    ],
    ['a filter', cube(`measures: { n: { type: 'count', filters: [{ sql: () => { throw 1; } }] } }`)],
  ])('is accepted where a query runs it: %s', async (_, text) => {
    expect(await verdict(script(text))).toEqual({ engine: false, ours: false });
  });
});

describe('members that a pattern takes out of a path', () => {
  const taken = (pattern: string, path: string): string =>
    dimension(`() => { const ${pattern} = ${path}; return \`1\`; }`);

  it.each<[string, string, boolean]>([
    ['{ city: q }', 'CUBE.users', false],
    ['{ nope: q }', 'CUBE.users', true],
    ['{ nope }', 'CUBE?.users', true],
    ['{ nope: q = 1 }', "CUBE['users']", true],
    ['{ users: { city } }', 'CUBE', false],
    ['{ users: { nope } }', 'CUBE', true],
    ['{ users: { city: { length } } }', 'CUBE', true],
    ['{ id: q, ...rest }', 'users', false],
    ['{ n: q }', 'orders.users.orders', false],
  ])('are judged as by the engine: %s of %s', async (pattern, path, isRefused) => {
    expect(await verdict(taken(pattern, path))).toEqual({ engine: isRefused, ours: isRefused });
  });

  it.each<[string, boolean]>([
    ['[CUBE?.nope]', true],
    ['[CUBE?.id]', false],
    ['[CUBE?.users?.city, CUBE.id]', false],
    ['[CUBE?.users?.nope]', true],
  ])('are read in a list of references as well: %s', async (members, isRefused) => {
    expect(await verdict(dimension('`x`', `drillMembers: ${members},`))).toEqual({
      engine: isRefused,
      ours: isRefused,
    });
  });
});
