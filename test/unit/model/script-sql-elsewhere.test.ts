import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';
import { js } from '#support/language/raw.ts';
import { script } from '#support/language/script-cube.ts';

/** A dimension that a helper makes of SQL: the helper, and its call for an expression. */
const HELPERS: readonly (readonly [string, string, (sql: string) => string])[] = [
  ['a parameter', `const dim = (sql) => ({ sql, type: 'string' });`, (sql) => `dim(${sql})`],
  ['another name', `function dim(e) { return { sql: e, type: 'string' }; }`, (sql) => `dim(${sql})`],
  [
    'two helpers',
    `const text = (e) => ({ sql: e, type: 'string' }); const dim = (e) => text(e);`,
    (sql) => `dim(${sql})`,
  ],
  ['an option', `const dim = ({ sql, title }) => ({ sql, title, type: 'string' });`, (sql) => `dim({ sql: ${sql} })`],
  ['an option by its path', `const dim = (o) => ({ sql: o.sql, type: 'string' });`, (sql) => `dim({ sql: ${sql} })`],
  ['an assignment', `function dim(e) { const d = { type: 'string' }; d.sql = e; return d; }`, (sql) => `dim(${sql})`],
  ['a class', `class Dim { constructor(e) { this.type = 'string'; this.sql = e; } }`, (sql) => `new Dim(${sql})`],
];

function model(helper: string, dimension: string): string {
  return script(js`
    const SHOUT = true;
    const LOCAL = 'x';
    const upper = (text) => \`UPPER(\${text})\`;
    ${helper}
    cube('orders', {
      sql_table: 'orders',
      dimensions: {
        id: { sql: 'id', type: 'number', primary_key: true },
        status: { sql: 'status', type: 'string' },
        other: ${dimension},
      },
    });
  `);
}

describe.each(HELPERS)('SQL that a helper is given as %s', (_, helper, call) => {
  // @shows no-false-errors, errors-of-the-engine
  it.each([
    '(CUBE) => `${CUBE.status}`',
    '(CUBE) => { const a = CUBE.status; return `${a} ${LOCAL}`; }',
    '(CUBE) => upper(CUBE.status)',
    "(CUBE) => ['id', 'status'].map((name) => `${CUBE[name]}`).join(' || ')",
    '(CUBE) => (SHOUT ? `${CUBE.status}` : `${CUBE.nothing}`)',
    '(CUBE) => { const inner = () => `${CUBE.nothing}`; return LOCAL; }',
    '(CUBE) => { try { return `${CUBE.nothing}`; } catch { return LOCAL; } }',
  ])('has no error where the engine finds none: %s', async (sql) => {
    expect(await verdict(model(helper, call(sql)))).toEqual({ engine: false, ours: false });
  });

  it.each([
    '(CUBE) => `${CUBE.nothing}`',
    '(CUBE) => { const a = `${CUBE.nothing}`; return a; }',
    '(CUBE) => upper(CUBE.nothing)',
    '(CUBE) => `${CUBE.nothing}`.trim()',
    "(CUBE) => { throw new Error('x'); }",
  ])('has the error that the engine finds: %s', async (sql) => {
    expect(await verdict(model(helper, call(sql)))).toEqual({ engine: true, ours: true });
  });
});

describe.each(HELPERS.filter(([, , call]) => !call('').includes('sql:')))(
  'a function that a helper is given as %s',
  (_, helper, call) => {
    // The engine gives a function that no key of SQL holds what its parameters name, and nothing else.
    it.each<[string, boolean]>([
      ['() => `${CUBE}.status`', true],
      ['() => `${status}`', true],
      ['() => `${orders.status}`', true],
      ['(id) => `${status}`', true],
      ['(status) => `${status}`', false],
      ['(CUBE, status) => `${CUBE} ${status}`', false],
      ['() => LOCAL', false],
      ['() => upper("x")', false],
      ['() => (SHOUT ? "x" : CUBE)', false],
      ['() => { const CUBE = "x"; return `${CUBE}.y`; }', false],
      ['() => { const later = () => CUBE; return "x"; }', false],
      ['(cube) => "x"', true],
      ['(cube) => `${cube}.x`', true],
      ['(_) => `x`', true],
      ['(SECURITY_CONTEXT) => `x`', false],
    ])('is judged as by the engine: %s', async (sql, isRefused) => {
      expect(await verdict(model(helper, call(sql)))).toEqual({ engine: isRefused, ours: isRefused });
    });
  },
);

describe('a function for references in a getter of a definition', () => {
  const cube = (members: string): string =>
    script(js`
      cube('orders', {
        sql_table: 'orders',
        dimensions: { id: { sql: 'id', type: 'number' } },
        measures: { get all() { return { type: 'count', drill_members: ${members} }; } },
      });
    `);

  it.each<[string, boolean]>([
    ['() => [id]', true],
    ['() => [CUBE.id]', true],
    ['(CUBE) => [CUBE.id]', false],
    ['(id) => [id]', false],
    [`() => ['id']`, false],
    [`() => ['id'].map((id) => id)`, false],
  ])('is judged as by the engine: %s', async (members, isRefused) => {
    expect(await verdict(cube(members))).toEqual({ engine: isRefused, ours: isRefused });
  });
});
