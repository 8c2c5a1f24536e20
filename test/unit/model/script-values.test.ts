import { describe, expect, it } from 'vitest';
import { problemsOf } from '#support/language/problems.ts';
import { verdict } from '#support/language/injected/verdict.ts';

/** Returns a script with two joined cubes and a view; `of` replaces what is written at a place. */
function model(of: Readonly<Record<string, string>> = {}): string {
  const at = (place: string, usual: string): string => of[place] ?? usual;
  return `
const NAME = 'users';
cube('orders', {
  sql_table: \`orders\`,
  ${at('title', `title: 'Orders'`)},
  ${at('joins', `joins: { ${at('join', `users: { relationship: ${at('relationship', `'many_to_one'`)}, sql: \`\${CUBE}.uid = \${users}.id\` }`)} }`)},
  dimensions: {
    id: { sql: \`id\`, type: 'number', ${at('primary', 'primaryKey: true')} },
    status: { sql: \`status\`, type: 'string', ${at('dimension', `title: 'S'`)} },
    at: { sql: \`at\`, type: 'time', ${at('granularities', `granularities: { half: { interval: '6 months' } }`)} },
    size: { type: 'string', case: { when: ${at('when', `[{ sql: \`\${CUBE}.n > 1\`, label: 'big' }]`)}, else: { label: 'small' } } },
  },
  ${at('measures', `measures: { count: { type: 'count' }, ${at('measure', `total: { ${at('measureKeys', `type: 'sum', sql: \`n\``)} }`)} }`)},
  ${at('segments', 'segments: { paid: { sql: `paid` } }')},
  ${at('hierarchies', 'hierarchies: { drill: { levels: [status] } }')},
  ${at('preAggregations', `preAggregations: { main: { measures: [CUBE.count], ${at('rollup', 'timeDimension: CUBE.at, granularity: `day`')} } }`)},
  ${at('policy', `accessPolicy: [{ group: 'staff', memberLevel: { includes: '*' } }]`)},
});
cube('users', ${at('users', `{ sql_table: \`users\`, dimensions: { id: { sql: \`id\`, type: 'number', primaryKey: true } } }`)});
view('sales', { cubes: [{ joinPath: orders, includes: ['status'], ${at('viewCube', 'prefix: true')} }] });
`;
}

const script = (text: string): string => `// file: m.js\n${text}`;

describe('a value of a script that the engine refuses for what it is', () => {
  it.each<Readonly<Record<string, string>>>([
    { preAggregations: `preAggregations: 'abc'` },
    { segments: `segments: 'abc'` },
    { hierarchies: 'hierarchies: `abc`' },
    { measures: `measures: 'abc'` },
    { joins: `joins: 'abc'` },
    { granularities: 'granularities: 5' },
    { granularities: 'granularities: []' },
    { granularities: 'granularities: () => ({})' },
    { rollup: 'indexes: null' },
    { rollup: `indexes: 'abc'` },
    { rollup: 'uniqueKeyColumns: null' },
    { policy: 'accessPolicy: [{ groups: null }]' },
    { policy: `accessPolicy: [{ group: 'staff', conditions: null }]` },
    { when: 'null' },
    { when: '() => []' },
    { viewCube: 'excludes: null' },
    { viewCube: `prefix: 'a' + 'b'` },
    { dimension: `title: () => 'S'` },
    { dimension: `title: function () { return 'S'; }` },
    { dimension: 'title() { return 1; }' },
    { dimension: 'title: /S/' },
    { dimension: 'title: 5n' },
    { dimension: 'title: new Date()' },
    { dimension: 'title: 2 * 3' },
    { dimension: 'title: NaN' },
    { dimension: 'title: !0' },
    { primary: 'primaryKey: () => true' },
    { primary: 'primaryKey: 1 + 1' },
    { measureKeys: 'type: undefined, sql: `n`' },
    { measureKeys: `type: 'count', drillMembers: undefined` },
    { measure: `total: () => ({ type: 'sum', sql: () => \`n\` })` },
    { measure: `total() { return { type: 'count' }; }` },
    { relationship: 'undefined' },
    { users: `'abc'` },
    { users: '[]' },
    { users: '() => ({})' },
  ])('is reported: %o', async (of) => {
    expect(await verdict(script(model(of)))).toEqual({ engine: true, ours: true });
  });
});

describe('a value of a script that the engine accepts', () => {
  it.each<Readonly<Record<string, string>>>([
    {},
    { title: 'title: undefined' },
    { title: `title: 'a' + NAME` },
    { primary: 'primaryKey: !0' },
    { preAggregations: 'preAggregations: () => ({})' },
    { preAggregations: 'preAggregations: undefined' },
    { segments: 'segments: 5' },
    { granularities: 'granularities: undefined' },
    { policy: 'accessPolicy: null' },
    { policy: 'accessPolicy: NaN' },
    { rollup: 'type: 0' },
    { rollup: `type: ''` },
    { rollup: 'segments: null' },
    { rollup: 'dimensions() { return [CUBE.status]; }' },
    { hierarchies: `hierarchies: { drill: { levels: '' } }` },
    { measureKeys: `type: 'count', drillMembers: () => [status]` },
    { measureKeys: `type: 'count', drillMembers() { return () => [status]; }` },
    { join: 'users: () => ({})' },
    { join: 'get users() { return { relationship: `many_to_one`, sql: `${CUBE}.uid = ${users}.id` }; }' },
    { join: `['users']: { relationship: 'many_to_one', sql: \`\${CUBE}.uid = \${users}.id\` }` },
    { join: '[`users`]: { relationship: `many`, sql: `1` }' },
    { measure: 'get total() { return { type: `sum`, sql: `n` }; }' },
    { measure: `['total']: { ['type']: 'sum', ['sql']: \`n\` }` },
    { measures: 'get measures() { return { count: { type: `count` }, total: { type: `sum`, sql: `n` } }; }' },
    { dimension: 'set title(text) {}' },
  ])('has no error: %o', async (of) => {
    expect(await verdict(script(model(of)))).toEqual({ engine: false, ours: false });
  });
});

describe('a getter, a method or a key in brackets of a script', () => {
  it.each<Readonly<Record<string, string>>>([
    { join: 'get users() { return { relationship: `many`, sql: `${CUBE}.uid = ${users}.id` }; }' },
    { join: `['users']: { relationship: 'many', sql: \`\${CUBE}.uid = \${users}.id\` }` },
    { join: `['nobody']: { relationship: 'many_to_one', sql: \`1\` }` },
    { join: `users() { return { relationship: 'many_to_one' }; }` },
    { measure: 'get total() { return { type: `summ`, sql: `n` }; }' },
    { measure: `['total']: { type: 'sum', sql: \`\${CUBE.nothing}\` }` },
    { measure: `['to tal']: { type: 'count' }` },
    { measure: `['status']: { type: 'count' }` },
    { measure: `total: { ['type']: 'summ', sql: \`n\` }` },
    { measure: `total: { type: 'count', ['nothing']: 1 }` },
    { measure: `total: { get type() { return 'sum'; }, sql: \`n\` }` },
    { measure: `total: { type: 'sum', get sql() { return \`n\`; } }` },
    { measure: `total: { type: 'sum', sql() { return \`n\`; } }` },
    { measure: `total: { type: 'count', drillMembers() { return [status]; } }` },
    { measures: 'get measures() { return { total: { type: `summ`, sql: `n` } }; }' },
    { measures: 'get measures() { return { total: { type: `count`, drillMembers: [status] } }; }' },
    { granularities: 'granularities: { get half() { return { interval: `6 months` }; } }' },
  ])('is reported where the engine refuses it: %o', async (of) => {
    expect(await verdict(script(model(of)))).toEqual({ engine: true, ours: true });
  });

  it('has an error at its key', () => {
    const found = problemsOf({ 'm.js': model({ dimension: 'get title() { return `S`; }' }) });
    expect(found.map(({ code, text }) => [code, text])).toEqual([['wrong-type', 'title']]);
  });

  it('has its errors once', () => {
    const found = problemsOf({ 'm.js': model({ measure: `['total']: { type: 'summ', sql: \`n\` }` }) });
    expect(found.map(({ code, text }) => [code, text])).toEqual([['bad-value', `'summ'`]]);
  });
});
