import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';
import { js } from '#support/language/raw.ts';
import { cube, script } from '#support/language/script-cube.ts';

/** Scripts that the engine refuses, by what they show. */
const REFUSED: readonly (readonly [string, string])[] = [
  [
    'a tagged template whose function yields a wrong type',
    js`
      const type = (texts, ...values) => texts[0] + values[0];
      ${cube("measures: { a: { type: type`s${'umm'}`, sql: `n` } }")}
    `,
  ],
  [
    'a tagged template whose method makes a wrong member',
    js`
      const make = { measure: ([type]) => ({ type, sql: () => 'n' }) };
      ${cube('measures: { a: make.measure`summ` }')}
    `,
  ],
  [
    'an object in the name of a member',
    js`
      const suffix = {};
      ${cube("measures: { [`n_${suffix}`]: { type: 'count' } }")}
    `,
  ],
  [
    'an object as the name of a member',
    js`
      const name = { a: 1 };
      ${cube("measures: { [name]: { type: 'count' } }")}
    `,
  ],
  [
    'an object added to a text, and one that String makes a text',
    js`
      const none = {};
      ${cube("measures: { a: { type: '' + none, sql: `n` } }, dimensions: { b: { type: String(none), sql: `n` } }")}
    `,
  ],
  [
    'an index whose name is no identifier',
    cube("preAggregations: { a: { type: 'originalSql', indexes: { 'by id': { columns: ['id'] } } } }"),
  ],
  [
    'an index whose name is a number',
    js`
      const NUMBER = 1;
      ${cube("preAggregations: { a: { type: 'originalSql', indexes: { [NUMBER]: { columns: ['id'] } } } }")}
    `,
  ],
  [
    'a wrong member in a constant',
    js`
      const a = { type: 'summ' };
      ${cube('measures: { a }')}
    `,
  ],
  [
    'an unknown member in the SQL of a function',
    js`
      const ratio = () => ({ type: 'number', sql: (CUBE) => \`\${CUBE.nothing}\` });
      ${cube('measures: { a: ratio() }')}
    `,
  ],
  [
    'a parameter of SQL that names nothing',
    js`
      const ratio = () => ({ type: 'number', sql: (nothing) => \`\${nothing}\` });
      ${cube('measures: { a: ratio() }')}
    `,
  ],
  [
    'a name in a list of references that nothing declares',
    js`
      const count = () => ({ type: 'count', drillMembers: () => [nothing] });
      ${cube('measures: { a: count() }')}
    `,
  ],
  [
    'a wrong value of an argument',
    js`
      const make = (type) => ({ type, sql: () => \`n\` });
      ${cube(`measures: { a: make('summ') }`)}
    `,
  ],
  [
    'a wrong value of a default',
    js`
      const make = ({ type = 'summ' } = {}) => ({ type, sql: () => \`n\` });
      ${cube('measures: { a: make() }')}
    `,
  ],
  [
    'an unknown key of a spread',
    js`
      const base = { bogus: 1 };
      ${cube(`measures: { a: { ...base, type: 'count' } }`)}
    `,
  ],
  [
    'a required key that no spread has',
    js`
      const base = { title: 'T' };
      cube('a', { ...base, measures: { b: { type: 'count' } } });
    `,
  ],
  [
    'an unknown member beside spread ones',
    js`
      const base = { a: { type: 'count' } };
      ${cube(`measures: { ...base, b: { type: 'number', sql: \`\${nothing}\` } }`)}
    `,
  ],
  [
    'a wrong member in a branch that runs',
    js`
      const isOn = true;
      ${cube(`measures: { a: { type: 'count' }, ...(isOn ? { b: { type: 'summ' } } : {}) }`)}
    `,
  ],
  [
    'a wrong member in a loop',
    `['a', 'b'].forEach((name) => ${cube(`measures: { c: { type: 'summ' } }`, 'name').slice(0, -1)});`,
  ],
  [
    'an unknown member in a loop',
    `for (const name of ['a', 'b']) { ${cube('measures: { c: { type: `number`, sql: `${CUBE.nothing}` } }', 'name')} }`,
  ],
  [
    'a bare member in a cube whose name is computed',
    `for (const name of ['a', 'b']) { ${cube(`measures: { c: { type: 'count', drillMembers: [id] } }`, 'name')} }`,
  ],
  [
    'a member that no loop makes, in a view',
    js`
      const kinds = ['paid', 'open'];
      ${cube(`measures: Object.fromEntries(kinds.map((kind) => [kind, { type: 'count' }]))`)}
      view('v', { cubes: [{ joinPath: orders, includes: ['paid', 'closed'] }] });
    `,
  ],
  [
    'references outside of a definition that are no function',
    js`
      const a = { type: 'count', drillMembers: ['id'] };
      ${cube('measures: { a }')}
    `,
  ],
  [
    'a join path that a function gets as a text',
    js`
      const of = (path) => ({ joinPath: path, includes: ['a'] });
      ${cube(`measures: { a: { type: 'count' } }`)}
      view('v', { cubes: [of('orders')] });
    `,
  ],
  [
    'a name of a view that is put together',
    js`
      ${cube(`measures: { a: { type: 'count' } }`)}
      view('v', { cubes: [{ joinPath: orders, includes: '*' }] });
      view_group('g', { views: ['v' + 'w'] });
    `,
  ],
  [
    'a name of a member that is put together, in a view',
    js`
      ${cube(`measures: { a: { type: 'count' } }`)}
      view('v', { cubes: [{ joinPath: orders, includes: ['a' + 'b'] }] });
    `,
  ],
  [
    'a join path that is put together',
    js`
      ${cube(`measures: { a: { type: 'count' } }`)}
      view('v', { cubes: [{ joinPath: 'ord' + 'er', includes: ['a'] }] });
    `,
  ],
  [
    'the wrong type of a static method',
    js`
      class T { static type() { return 'summ'; } }
      ${cube('measures: { a: { type: T.type(), sql: `n` } }')}
    `,
  ],
  [
    'the wrong type of a static getter',
    js`
      class T { static get type() { return 'summ'; } }
      ${cube('measures: { a: { type: T.type, sql: `n` } }')}
    `,
  ],
  [
    'the wrong type of a static field of the child',
    js`
      class A { static word = 'sum'; static type() { return this.word; } }
      class B extends A { static word = 'summ'; }
      ${cube('measures: { a: { type: B.type(), sql: `n` } }')}
    `,
  ],
  [
    'an unknown member in a cube of a static method',
    js`
      class T { static make(name) { ${cube('measures: { a: { type: `sum`, sql: `${CUBE.nothing}` } }', 'name')} } }
      T.make('orders');
    `,
  ],
  [
    'a wrong type from a method of an object',
    js`
      const kinds = { word: 'summ', of() { return { type: this.word, sql: () => \`n\` }; } };
      ${cube('measures: { a: kinds.of() }')}
    `,
  ],
  [
    'wrong members of a list that a function of the script loads',
    js`
      const load = async () => ['a', 'b'];
      asyncModule(async () => { const names = await load();
      ${cube('measures: Object.fromEntries(names.map((n) => [n, { type: `summ` }]))')} });
    `,
  ],
  [
    'an unknown member in cubes of a list that is loaded',
    js`
      const load = async () => ['a', 'b'];
      asyncModule(async () => { for (const name of await load()) ${cube('measures: { c: { type: `sum`, sql: `${CUBE.nothing}` } }', 'name')} });
    `,
  ],
  [
    'a wrong type that methods of lists make',
    js`
      const KINDS = ['su', 'mm'];
      ${cube(`measures: { a: { type: KINDS.join(''), sql: \`n\` } }`)}
    `,
  ],
  [
    'the name of a view that String yields',
    js`
      ${cube(`measures: { a: { type: 'count' } }`)}
      view('v', { cubes: [{ joinPath: orders, includes: '*' }] });
      view_group('g', { views: String('a') });
    `,
  ],
  [
    'a list with another name in place of the name of a view',
    js`
      ${cube(`measures: { a: { type: 'count' } }`)}
      view('v', { cubes: [{ joinPath: orders, includes: '*' }] });
      view_group('g', { views: [['w']] });
    `,
  ],
  [
    'a function without a name outside of a definition',
    js`
      const a = { sql: function (CUBE) { return \`\${CUBE}.n\`; }, type: 'sum' };
      ${cube('measures: { a }')}
    `,
  ],
  [
    'a function without a name that is passed to another one',
    js`
      const sum = (sql) => ({ sql, type: 'sum' });
      ${cube('measures: { a: sum(function (CUBE) { return `n`; }) }')}
    `,
  ],
  [
    'a method for levels outside of a definition',
    js`
      const h = { levels() { return ['id']; } };
      ${cube('hierarchies: { h }')}
    `,
  ],
  [
    'null in place of a switch outside of a definition',
    js`
      const a = { type: 'number', multiStage: true, case: { switch: null, when: [{ value: 'x', sql: () => \`1\` }], else: { sql: () => \`2\` } } };
      ${cube('measures: { a }')}
    `,
  ],
  ['an unknown name in brackets', cube('measures: { a: { type: `sum`, sql: `${CUBE["nothing"]}` } }')],
  [
    'an unknown name that a constant holds',
    js`
      const NAME = 'nothing';
      ${cube('measures: { a: { type: `sum`, sql: `${CUBE[NAME]}` } }')}
    `,
  ],
  [
    'an unknown name in brackets of a member that a loop makes',
    cube(
      `measures: { a: { type: 'count' }, ...Object.fromEntries(['a', 'b'].map((name) => [\`\${name}_twice\`, { type: 'number', sql: (CUBE) => \`\${CUBE[name]} * 2\` }])) }`,
    ),
  ],
  [
    'an unknown name that a function of the script gets',
    js`
      const ratio = (a, b) => ({ type: 'number', sql: (CUBE) => \`\${CUBE[a]} / \${CUBE[b]}\` });
      ${cube(`measures: { a: { type: 'count' }, b: ratio('a', 'nothing') }`)}
    `,
  ],
  [
    'an unknown name that a list holds',
    js`
      const NAMES = ['id', 'nothing'];
      ${cube('measures: { a: { type: `sum`, sql: `${CUBE[NAMES[1]]}` } }')}
    `,
  ],
  [
    'an unknown name in one of the cubes of a loop',
    `for (const name of ['id', 'b']) { ${cube('measures: { c: { type: `sum`, sql: `${CUBE[name]}` } }', '`orders_${name}`')} }`,
  ],
  [
    'a join to a cube of a loop that has no key',
    js`
      for (const name of ['a', 'b']) cube(name, { sql_table: \`t\`, dimensions: { id: { sql: \`id\`, type: 'number' } }, measures: { c: { type: 'count' } } });
      ${cube('joins: { a: { relationship: `many_to_one`, sql: `${CUBE}.a = ${a.id}` } }')}
    `,
  ],
  ['a text among joins', cube(`joins: ['a' + 'b']`)],
  ['nothing among joins', cube('joins: [undefined]')],
  [
    'nothing among the columns of a key',
    cube(`preAggregations: { p: { type: 'original_sql', uniqueKeyColumns: [undefined] } }`),
  ],
  [
    'a primary key that is undefined in a cube that is joined',
    js`
      cube('a', { sql_table: \`a\`, joins: { b: { relationship: 'one_to_one', sql: \`\${CUBE}.x = \${b}.y\` } }, dimensions: { id: { sql: \`id\`, type: 'number', primaryKey: undefined } }, measures: { c: { type: 'count' } } });
      ${cube('', `'b'`)}
    `,
  ],
  [
    'an object with other keys as a refresh key',
    js`
      const key = { sql: \`s\`, type: 'number' };
      ${cube('refreshKey: key')}
    `,
  ],
];

describe('a script that makes wrong definitions', () => {
  // @shows errors-of-the-engine
  it.each(REFUSED)('has an error where the engine refuses it: %s', async (_, text) => {
    expect(await verdict(script(text))).toEqual({ engine: true, ours: true });
  });
});
