import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completion } from '#language-server/ide/completion.ts';
import { fixture, textIn } from './fixture.ts';
import { SHOP } from './shop.ts';

interface Offered {
  readonly label: string;
  /** What is put in the place of what is typed already. */
  readonly text: string;
  readonly replaced: string;
}

function offered(script: string): Offered[] {
  const { opened, offset } = fixture(`#- a.js\n${script}\n${SHOP}`);
  return completion(opened, offset).items.map(({ label, textEdit, insertText }) => ({
    label,
    text: textEdit?.newText ?? insertText ?? label,
    replaced: textEdit && 'range' in textEdit ? textIn(opened, textEdit.range) : '',
  }));
}

const labels = (script: string): string[] => offered(script).map(({ label }) => label);
const textOf = (script: string, wanted: string): string | undefined =>
  offered(script).find(({ label }) => label === wanted)?.text;

describe('completion in a script', () => {
  it('offers the keys that a definition does not have yet, above and below', () => {
    const found = labels('cube(`a`, { sql_table: `t`, $0\n  measures: {}, });');
    expect(found).toEqual(expect.arrayContaining(['dimensions', 'joins', 'pre_aggregations', 'refresh_key']));
    for (const taken of ['sql_table', 'measures', 'name']) expect(found).not.toContain(taken);
  });

  it('offers the keys of a member while the script cannot be read', () => {
    const found = labels('cube(`a`, { sql_table: `t`, dimensions: { x: { type: `string`, prim$0');
    expect(found).toEqual(expect.arrayContaining(['sql', 'primary_key', 'title']));
    expect(found).not.toContain('type');
    expect(found).not.toContain('name');
  });

  it('spells keys as the file does', () => {
    expect(labels('cube(`a`, { sqlTable: `t`, preAggregations: {}, measures: { x: { $0 } } });')).toContain(
      'drillMembers',
    );
    expect(labels('cube(`a`, { sql_table: `t`, measures: { x: { $0 } } });')).toContain('drill_members');
  });

  it('puts what must follow a key', () => {
    const at = 'cube(`a`, { sql_table: `t`, $0 });';
    expect(textOf(at, 'measures')).toBe('measures: {\n\t$1\n},');
    expect(textOf(at, 'description')).toBe('description: `$1`,');
    expect(textOf(at, 'public')).toBe('public: $1,');
  });

  it.each([
    ['nothing typed', 'type: $0', '`sum`', ''],
    ['a word typed', 'type: su$0', '`sum`', 'su'],
    ['in quotes', "type: '$0'", 'sum', ''],
    ['in a template', 'type: `$0`', 'sum', ''],
    ['in a template without its end', 'type: `s$0', 'sum', ''],
  ])('offers values with their quotes: %s', (_, typed, text, replaced) => {
    const found = offered(`cube(\`a\`, { sql_table: \`t\`, measures: { x: { ${typed} } } });`);
    const sum = found.find(({ label }) => label === 'sum');
    expect([sum?.text, sum?.replaced]).toEqual([text, replaced]);
  });

  it('offers true and false without quotes', () => {
    expect(labels('cube(`a`, { public: $0 });')).toEqual(['true', 'false']);
    expect(textOf('cube(`a`, { public: $0 });', 'true')).toBe('true');
  });

  it('offers members of a list of references, of an arrow function too', () => {
    const cube = (drill: string): string =>
      `cube(\`a\`, { sql: \`x\`, joins: { orders: { relationship: \`many_to_one\`, sql: \`\${orders.id} = 1\` } }, dimensions: { own: { sql: \`own\`, type: \`string\` } }, measures: { n: { type: \`count\`, drillMembers: ${drill} } } });`;
    for (const drill of ['[$0]', '[own, $0]', '() => [$0]'])
      expect(labels(cube(drill))).toEqual(expect.arrayContaining(['CUBE', 'own', 'orders']));
    expect(labels(cube('[orders.$0]'))).toEqual(expect.arrayContaining(['status', 'total', 'users']));
    expect(labels(cube('[CUBE.$0]'))).toEqual(expect.arrayContaining(['own', 'n']));
  });

  it('offers cubes of YAML files to extend and to join to', () => {
    expect(labels('cube(`a`, { extends: $0 });')).toEqual(expect.arrayContaining(['users', 'orders']));
    expect(textOf('cube(`a`, { joins: { $0 } });', 'users')).toContain(
      'sql: `\\${CUBE}.${2:users_id} = \\${users.${3:id}}`',
    );
    expect(labels('cube(`a`, { joins: { users: {}, $0 } });')).toEqual(['orders']);
  });

  it('offers in a view what its cubes have', () => {
    expect(labels('view(`v`, { cubes: [{ join_path: orders.$0 }] });')).toEqual(['users']);
    expect(labels('view(`v`, { cubes: [{ join_path: orders, includes: [`$0`] }] });')).toEqual(
      expect.arrayContaining(['status', 'total']),
    );
    expect(textOf('view(`v`, { cubes: [{ join_path: orders, includes: [$0] }] });', 'status')).toBe('`status`');
    expect(textOf('view(`v`, { cubes: [{ join_path: orders, includes: $0 }] });', '*')).toBe('`*`');
    expect(labels('view(`v`, { cubes: [{ $0 }] });')).toEqual(
      expect.arrayContaining(['join_path', 'includes', 'prefix']),
    );
  });

  it('offers references behind ${ in every SQL of a definition', () => {
    const cube = (sql: string): string =>
      `cube(\`a\`, { sql: \`x\`, joins: { users: { relationship: \`many_to_one\`, sql: ${sql} } }, dimensions: { own: { sql: \`own\`, type: \`time\` } } });`;
    expect(labels(cube('`${$0}`'))).toEqual(expect.arrayContaining(['CUBE', 'own', 'users', 'FILTER_PARAMS']));
    expect(labels(cube('(CUBE, users) => `${CUBE}.x = ${users.$0}`'))).toEqual(expect.arrayContaining(['id', 'city']));
    expect(labels(cube('`${CUBE.own.$0}`'))).toEqual(expect.arrayContaining(['day', 'month']));
    expect(labels(cube('`select $0`'))).toEqual([]);
    const open = 'cube(`a`, {\n  measures: {\n    n: { type: `count` },\n    m: {\n      sql: `${$0\n    },\n  },\n});';
    expect(labels(open)).toEqual(expect.arrayContaining(['CUBE', 'n', 'm']));
  });

  it('offers whole definitions and members to start from', () => {
    expect(labels('cu$0')).toEqual(['cube', 'view']);
    expect(labels('cube(`a`, { measures: { $0 } });')).toEqual(['new measure']);
    expect(labels('const x = $0')).toEqual([]);
  });

  it('answers everywhere, whatever is cut off or put in', () => {
    const script =
      'cube(`a`, {\n  sql: `select ${FILTER_PARAMS.a.x.filter((y) => `${y}`)}`, // note\n  joins: { users: { sql: (CUBE) => `${CUBE.x}` } },\n  measures: { n: { type: "count", drillMembers: [CUBE.n, users.id] } },\n});\n';
    const piece = fc.constantFrom(
      '',
      '$',
      '${',
      '`',
      "'",
      '"',
      '{',
      '}',
      '[',
      ']',
      '(',
      ')',
      '/*',
      '//',
      ':',
      ',',
      '\\',
    );
    fc.assert(
      fc.property(fc.nat({ max: script.length }), fc.nat({ max: 40 }), piece, (at, gone, put) => {
        const found = labels(`${script.slice(0, at)}${put}$0${script.slice(at + gone)}`);
        expect(new Set(found).size).toBe(found.length);
      }),
      { numRuns: 200, seed: 5 },
    );
  });

  it('offers nothing in texts, comments and code of the script itself', () => {
    expect(labels('cube(`a`, { title: `$0` });')).toEqual([]);
    expect(labels('cube(`a`, { dimensions: helper({ $0 }) });')).toEqual([]);
    expect(labels('cube(`a`, { sql: `x` });\nconst y = { $0 };')).toEqual([]);
  });
});
