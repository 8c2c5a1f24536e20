import { describe, expect, it } from 'vitest';
import { fileProblems } from '#model/checks/file-problems.ts';
import { rename } from '#model/usages/rename.ts';
import { indexOf, problemsOf } from '#support/language/problems.ts';
import { verdict } from '#support/language/injected/verdict.ts';

/** Returns a script with two joined cubes and a view; `of` replaces what is written at a place. */
function model(of: Readonly<Record<string, string>> = {}): string {
  const at = (place: string, usual: string): string => of[place] ?? usual;
  return `
const NAME = 'users';
const LIST = ['status'];
const KINDS = { sum: 'sum' };
const SUM = 'sum';
const SUMM = SUM + 'm';
const FIVE = 5;
const REVENUE = 'revenue';
const nameOf = () => SUM;
let changed = 'sum';
changed = 'summ';
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
    { users: 'NAME' },
    { users: 'new Date()' },
    { title: 'title: FIVE' },
    { title: 'title: LIST' },
    { title: 'title: KINDS' },
    { title: 'title: nameOf' },
    { title: 'title: FIVE + 1' },
    { title: 'title: LIST.map((item) => item)' },
    { title: 'title: NAME || FIVE ? FIVE : NAME' },
    { primary: 'primaryKey: NAME' },
    { primary: `primaryKey: String('true')` },
    { measureKeys: 'type: SUMM, sql: `n`' },
    { measureKeys: `type: 'su' + 'mm', sql: \`n\`` },
    { measureKeys: 'type: `${SUM}m`, sql: `n`' },
    { measureKeys: 'type: void 0, sql: `n`' },
    { measureKeys: 'type: nameOf() + FIVE, sql: `n`' },
    { measureKeys: 'type: `count`, drillMembers: [undefined]' },
    { measureKeys: 'type: `sum`, sql: `n`, filters: [undefined]' },
    { measureKeys: 'type: `sum`, sql: `n`, filters: [,]' },
    { measureKeys: 'type: `sum`, sql: `n`, filters: new Date()' },
    { segments: 'segments: { paid: new Date() }' },
    { measure: 'total: NAME' },
    { measure: '[FIVE]: { type: `count` }' },
    { measure: '[REVENUE]: { type: `summ`, sql: `n` }' },
    { measure: '[REVENUE]: { type: `sum`, sql: `${CUBE.nothing}` }' },
    { join: '[NAME]: { relationship: `many_to_one`, sql: `${CUBE}.uid = 1` }' },
    { when: '[undefined]' },
    { policy: `accessPolicy: [{ groups: [undefined], memberLevel: { includes: '*' } }]` },
    { policy: 'accessPolicy: [undefined]' },
    { viewCube: 'prefix: NAME' },
    { viewCube: 'excludes: [undefined]' },
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
    { policy: 'accessPolicy: new Map()' },
    { policy: 'accessPolicy: new Set()' },
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
    { title: 'title: SUM + FIVE' },
    { title: 'title: NAME ?? FIVE' },
    { title: 'title: FIVE ? NAME : FIVE' },
    { title: 'title: `${SUM}`' },
    { title: 'title: KINDS.sum' },
    { title: 'title: LIST[0]' },
    { title: `title: LIST.join(', ')` },
    { title: 'title: String(FIVE)' },
    { title: '...null' },
    { title: '__proto__: { title: `Orders` }' },
    { measureKeys: 'type: SUM, sql: `n`' },
    { measureKeys: `type: 'su' + 'm', sql: \`n\`` },
    { measureKeys: 'type: `${SUM}`, sql: `n`' },
    { measureKeys: 'type: nameOf(), sql: `n`' },
    { measureKeys: 'type: KINDS.sum, sql: `n`' },
    { measureKeys: `type: ((SUMM) => SUMM)('sum'), sql: \`n\`` },
    { measureKeys: `type: (() => { const SUMM = 'sum'; return SUMM; })(), sql: \`n\`` },
    { measureKeys: 'type: `sum`, sql: `n` + `m`' },
    {
      measure:
        '[REVENUE]: { type: `sum`, sql: `n`, drillMembers: [status] }, more: { type: `number`, sql: `${revenue} * 2` }',
    },
    { measure: '[SUM + `x`]: { type: `sum`, sql: `n` }, more: { type: `number`, sql: `${CUBE.sumx}` }' },
    { measure: '[`count`.trim()]: { type: `count` }' },
    { measure: 'total: { type: `sum`, sql: `n`, [NAME && `title`]: `Total` }' },
    { measureKeys: 'type: `sum`, sql: `n`, rollingWindow: new Date()' },
    { measures: 'measures: [,]' },
    { rollup: 'segments: [undefined]' },
    { hierarchies: 'hierarchies: { drill: { levels: [[,], status] } }' },
    ...['undefined', 'null', '[undefined]', 'void 0'].map((value) => ({
      measure: `sized: { type: 'number', multi_stage: true, case: { switch: ${value}, when: [{ value: 'a', sql: \`1\` }], else: { sql: \`2\` } } }`,
    })),
    { viewCube: 'excludes: [`${SUM}x`]' },
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

  it('has no fix at the name of a constant', () => {
    const found = problemsOf({ 'm.js': model({ measureKeys: 'type: SUMM, sql: `n`' }) });
    expect(found.map(({ code, text, message }) => [code, text, message])).toEqual([
      [
        'bad-value',
        'SUMM',
        '`summ` is not allowed here. Use one of: count, count_distinct, count_distinct_approx, sum, avg, min, max, number, string, time, boolean, number_agg, rank.',
      ],
    ]);
    const index = indexOf({ 'm.js': model({ measureKeys: 'type: SUMM, sql: `n`' }) });
    const [file] = [...index.files()];
    expect(file && fileProblems(file, index).map(({ problem }) => problem.fix)).toEqual([undefined]);
  });

  it('is known by the name that a constant holds', () => {
    const named = { measure: '[REVENUE]: { type: `sum`, sql: `n` }, more: { type: `sum`, sql: `${CUBE.revenu}` }' };
    const found = problemsOf({ 'm.js': model(named) });
    expect(found.map(({ code, text }) => [code, text])).toEqual([['unknown-reference', 'revenu']]);
  });

  it('is known by the name that a constant holds where it is a whole cube', async () => {
    const cubes = (sql: string): string => `
      const PEOPLE = 'people';
      cube(PEOPLE, { sql_table: \`people\`, dimensions: { id: { sql: \`id\`, type: 'number', primaryKey: true } } });
      cube('orders', {
        sql_table: \`orders\`,
        joins: { people: { relationship: 'many_to_one', sql: \`\${CUBE}.pid = \${people.id}\` } },
        dimensions: { id: { sql: \`id\`, type: 'number', primaryKey: true }, who: { sql: \`\${${sql}}\`, type: 'string' } },
      });
    `;
    expect(await verdict(script(cubes('people.id')))).toEqual({ engine: false, ours: false });
    expect(await verdict(script(cubes('people.nothing')))).toEqual({ engine: true, ours: true });
    expect(await verdict(script(cubes('persons.id')))).toEqual({ engine: true, ours: true });
    const cube = indexOf({ 'm.js': cubes('people.id') }).entity('people');
    expect(cube?.members.has('id')).toBe(true);
  });

  it('is not renamed where a constant holds its name', () => {
    const index = indexOf({ 'm.js': model({ measure: '[REVENUE]: { type: `sum`, sql: `n` }' }) });
    const member = index.entity('orders')?.members.get('revenue');
    expect(member && rename({ is: 'member', member }, 'income', index)).toEqual({
      ok: false,
      error: 'A constant in m.js holds “revenue”: change the constant.',
    });
  });

  it.each([
    ['view', `'abc'`, true],
    ['view', '`a${1}`', true],
    ['view', 'REVENUE', true],
    ['view', `['a']`, true],
    ['view', '[{}]', true],
    ['view', '[]', false],
    ['view', '[,]', false],
    ['view', `''`, false],
    ['view', '5', false],
    ['view', '() => ({})', false],
    ['view_group', `'abc'`, true],
    ['view_group', `['a']`, true],
    ['view_group', '[]', false],
  ])('is judged in place of a definition: %s of %s', async (call, definition, isRefused) => {
    const text = `${model()}${call}('other', ${definition});`;
    expect(await verdict(script(text))).toEqual({ engine: isRefused, ours: isRefused });
  });

  it('hides nothing but itself where a function makes a member', async () => {
    const made = (sql: string): string =>
      `const make = () => ({ type: 'sum', sql: () => \`n\` });\n${model({ measure: `made: make(), more: { type: 'number', sql: \`\${${sql}}\` }` })}`;
    expect(await verdict(script(made('made')))).toEqual({ engine: false, ours: false });
    expect(await verdict(script(made('CUBE.made')))).toEqual({ engine: false, ours: false });
    expect(await verdict(script(made('CUBE.nothing')))).toEqual({ engine: true, ours: true });
    expect(await verdict(script(made('CUBE.mad')))).toEqual({ engine: true, ours: true });
  });

  it('is not a path where a constant holds the name of a member', async () => {
    const policy = (names: string): string =>
      script(model({ policy: `accessPolicy: [{ group: 'a', memberLevel: { includes: [${names}] } }]` }));
    expect(await verdict(policy('LIST.length && `status`, KINDS.sum'))).toEqual({ engine: false, ours: false });
  });

  it('is missing where it is `undefined` in a branch', async () => {
    const sized = (value: string): string =>
      script(
        model({
          measure: `sized: { type: 'number', multi_stage: true, case: { switch: CUBE.kind, when: [{ value: ${value}, sql: \`1\` }], else: { sql: \`2\` } } }`,
          segments: `segments: { paid: { sql: \`paid\` } }`,
          dimension: `title: 'S' }, kind: { type: 'switch', values: ['a']`,
        }),
      );
    expect(await verdict(sized(`'a'`))).toEqual({ engine: false, ours: false });
    expect(await verdict(sized('undefined'))).toEqual({ engine: true, ours: true });
  });

  it('may be there twice in a group of views', async () => {
    const group = `view_group('all', { title: 'A', title: 'B', includes: [sales] });`;
    expect(await verdict(script(model() + group))).toEqual({ engine: false, ours: false });
    expect(await verdict(script(model({ title: `title: 'A', title: 'B'` })))).toEqual({ engine: true, ours: true });
  });

  it('has its errors once', () => {
    const found = problemsOf({ 'm.js': model({ measure: `['total']: { type: 'summ', sql: \`n\` }` }) });
    expect(found.map(({ code, text }) => [code, text])).toEqual([['bad-value', `'summ'`]]);
  });
});
