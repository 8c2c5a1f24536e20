import { describe, expect, it } from 'vitest';
import { fileProblems } from '#model/checks/file-problems.ts';
import { indexOf, problemsOf } from '#support/language/problems.ts';
import { verdict } from '#support/language/injected/verdict.ts';

/** A cube with a key and a count, and what else is in its definition. */
function cube(rest: string, name = `'orders'`): string {
  const id = `id: { sql: \`id\`, type: 'number', primaryKey: true }`;
  return `cube(${name}, { sql_table: \`t\`, dimensions: { ${id} }, ${rest} });`;
}

const script = (text: string): string => `// file: m.js\n${text}`;

/** Scripts by what they show, of which the engine accepts those in the first list. */
const ACCEPTED: readonly (readonly [string, string])[] = [
  [
    'a wrong member that a later one replaces',
    `const old = { a: { type: 'summ' } };\n${cube(`measures: { ...old, a: { type: 'count' } }`)}`,
  ],
  [
    'a wrong member that Object.assign replaces',
    `const old = { a: { type: 'summ' } };\n${cube(`measures: Object.assign({}, old, { a: { type: 'count' } })`)}`,
  ],
  [
    'a wrong value that a spread replaces',
    `const right = { type: 'count' };\n${cube(`measures: { a: { type: 'summ', ...right } }`)}`,
  ],
  [
    'a wrong member in a branch that never runs',
    `const isOn = false;\n${cube(`measures: { a: { type: 'count' }, ...(isOn && { b: { type: 'summ' } }) }`)}`,
  ],
  [
    'a wrong value that the script corrects',
    `const all = { a: { type: 'summ' } };\nall.a.type = 'count';\n${cube('measures: all')}`,
  ],
  [
    'a wrong value that a function corrects',
    `const all = { a: { type: 'summ' } };\nfunction fix(some) { some.a = { type: 'count' }; }\nfix(all);\n${cube('measures: all')}`,
  ],
  [
    'a wrong value that is corrected under another name',
    `const all = { a: { type: 'summ' } };\nconst other = all;\nother.a = { type: 'count' };\n${cube('measures: all')}`,
  ],
  [
    'a parameter that names nothing, in a list of references',
    `const a = { type: 'count', drillMembers: (nothing) => [nothing] };\n${cube('measures: { a }')}`,
  ],
  [
    'SQL that is passed to a function of the script',
    `const sum = ({ type = 'sum', sql }) => ({ type, sql });\n${cube('measures: { a: sum({ sql: `a` }) }')}`,
  ],
  [
    'a constant with the name of a member that a view includes',
    `const name = 'a';\n${cube(`measures: { a: { type: 'count' } }`)}\nview('v', { cubes: [{ joinPath: orders, includes: [name] }] });`,
  ],
  [
    'a cube with the name of a constant',
    `const orders = 'nothing';\n${cube(`measures: { a: { type: 'count' } }`)}\nview('v', { cubes: [{ joinPath: orders, includes: ['a'] }] });`,
  ],
  [
    'views of a group in a function',
    `${cube(`measures: { a: { type: 'count' } }`)}\nview('v', { cubes: [{ joinPath: orders, includes: '*' }] });\nview_group('g', { views: () => [v] });`,
  ],
  [
    'a single view of a group',
    `${cube(`measures: { a: { type: 'count' } }`)}\nview('v', { cubes: [{ joinPath: orders, includes: '*' }] });\nview_group('g', { views: 'v' });`,
  ],
  ['a gap in a list of levels', cube(`measures: { a: { type: 'count' } }, hierarchies: { h: { levels: [id, , id] } }`)],
  [
    'members of a loop in a view',
    `const kinds = { paid: 'Paid', open: 'Open' };\n${cube(`measures: Object.entries(kinds).reduce((all, [kind, title]) => ({ ...all, [\`\${kind}_count\`]: { type: 'count', title } }), {})`)}\nview('v', { cubes: [{ joinPath: orders, includes: ['paid_count', 'open_count'] }] });`,
  ],
  [
    'cubes of a loop that refer to themselves',
    `for (const name of ['a', 'b']) { ${cube(`measures: { a: { type: 'count', drillMembers: [CUBE.id] } }`, 'name')} }`,
  ],
  [
    'the type of a static method',
    `class T { static type() { return 'sum'; } }\n${cube('measures: { a: { type: T.type(), sql: `n` } }')}`,
  ],
  [
    'a static field that is replaced',
    `class T { static type = 'summ'; }\nT.type = 'sum';\n${cube('measures: { a: { type: T.type, sql: `n` } }')}`,
  ],
  [
    'a static field that a block of its class replaces',
    `class T { static type = 'summ'; static { this.type = 'sum'; } }\n${cube('measures: { a: { type: T.type, sql: `n` } }')}`,
  ],
  [
    'a static method of a parent that reads a field of the child',
    `class A { static word = 'summ'; static type() { return this.word; } }\nclass B extends A { static word = 'sum'; }\n${cube('measures: { a: { type: B.type(), sql: `n` } }')}`,
  ],
  [
    'members of static methods',
    `class T { static type = 'sum'; static of(n) { return { [n]: { type: this.type, sql: () => n } }; } static get all() { return { ...this.of('a'), ...T.of('b') }; } }\n${cube('measures: T.all')}\nview('v', { cubes: [{ joinPath: orders, includes: ['a', 'b'] }] });`,
  ],
  [
    'a value that a method of an object corrects',
    `const fixer = { fix(some) { some.type = 'sum'; } };\nconst a = { type: 'summ', sql: () => \`n\` };\nfixer.fix(a);\n${cube('measures: { a }')}`,
  ],
  [
    'a value that a replaced method corrects',
    `class F { static fix(some) { return some; } }\nF.fix = (some) => { some.type = 'sum'; };\nconst a = { type: 'summ', sql: () => \`n\` };\nF.fix(a);\n${cube('measures: { a }')}`,
  ],
  [
    'members of a list that a function of the script loads',
    `const load = async () => ['a', 'b'];\nasyncModule(async () => { const names = await load();\n${cube('measures: Object.fromEntries(names.map((n) => [n, { type: `count` }]))')}\nview('v', { cubes: [{ joinPath: orders, includes: ['b'] }] }); });`,
  ],
  [
    'a type that methods of texts and lists make',
    `const KIND = 'SUM_x';\nconst KINDS = ['su', 'm', 'x'];\n${cube(`measures: { a: { type: KIND.split('_')[0].toLowerCase(), sql: \`n\` }, b: { type: KINDS.slice(0, 2).join(''), sql: \`n\`, public: KINDS.length > 2 } }`)}`,
  ],
  [
    'a function of the script with the name of one of JavaScript',
    `const String = () => 'sum';\n${cube(`measures: { a: { type: String('summ'), sql: \`n\` } }`)}`,
  ],
  [
    'members of all arguments',
    `const all = (...names) => Object.fromEntries(names.map((n) => [n, { type: 'count' }]));\nconst NAMES = ['b', 'c'];\n${cube(`measures: all('a', ...NAMES)`)}\nview('v', { cubes: [{ joinPath: orders, includes: ['a', 'c'] }] });`,
  ],
  [
    'a list in place of the name of a view',
    `const NAMES = ['v'];\n${cube(`measures: { a: { type: 'count' } }`)}\nview('v', { cubes: [{ joinPath: orders, includes: '*' }] });\nview_group('g', { views: [NAMES, ['v']] });`,
  ],
  [
    'a function with a name outside of a definition',
    `const a = { sql: function named() { return \`n\`; }, type: 'sum' };\n${cube('measures: { a }')}`,
  ],
  [
    'a method for the SQL of a subquery',
    `const a = { sql() { return \`n\`; }, type: 'number', subQuery: true };\ncube('orders', { sql_table: \`t\`, dimensions: { a } });`,
  ],
  [
    'members whose names are in brackets',
    `const ratio = (a, b) => ({ type: 'number', sql: (CUBE) => \`\${CUBE[a]} / \${CUBE['b']} + \${CUBE[b]}\` });\n${cube(`measures: { a: { type: 'count' }, b: { type: 'count' }, c: ratio('a', 'b'), d: ratio('b', 'a') }`)}`,
  ],
  [
    'items of a list in SQL',
    `const COLUMNS = ['x', 'nothing'];\n${cube('measures: { a: { type: `sum`, sql: `${COLUMNS[0]} + ${COLUMNS.length}` } }')}`,
  ],
  [
    'a granularity in brackets',
    cube(`measures: { a: { type: 'max', sql: \`\${CUBE['at']['day']}\` } }`).replace(
      'dimensions: {',
      'dimensions: { at: { sql: `at`, type: `time` },',
    ),
  ],
  [
    'a join to a cube of a loop that has a key',
    `for (const name of ['a', 'b']) { ${cube('measures: { c: { type: `count` } }', 'name')} }\n${cube('measures: { c: { type: `count` } }, joins: { a: { relationship: `many_to_one`, sql: `${CUBE}.a = ${a.id}` } }')}`,
  ],
];

const REFUSED: readonly (readonly [string, string])[] = [
  ['a wrong member in a constant', `const a = { type: 'summ' };\n${cube('measures: { a }')}`],
  [
    'an unknown member in the SQL of a function',
    `const ratio = () => ({ type: 'number', sql: (CUBE) => \`\${CUBE.nothing}\` });\n${cube('measures: { a: ratio() }')}`,
  ],
  [
    'a parameter of SQL that names nothing',
    `const ratio = () => ({ type: 'number', sql: (nothing) => \`\${nothing}\` });\n${cube('measures: { a: ratio() }')}`,
  ],
  [
    'a name in a list of references that nothing declares',
    `const count = () => ({ type: 'count', drillMembers: () => [nothing] });\n${cube('measures: { a: count() }')}`,
  ],
  [
    'a wrong value of an argument',
    `const make = (type) => ({ type, sql: () => \`n\` });\n${cube(`measures: { a: make('summ') }`)}`,
  ],
  [
    'a wrong value of a default',
    `const make = ({ type = 'summ' } = {}) => ({ type, sql: () => \`n\` });\n${cube('measures: { a: make() }')}`,
  ],
  ['an unknown key of a spread', `const base = { bogus: 1 };\n${cube(`measures: { a: { ...base, type: 'count' } }`)}`],
  [
    'a required key that no spread has',
    `const base = { title: 'T' };\ncube('a', { ...base, measures: { b: { type: 'count' } } });`,
  ],
  [
    'an unknown member beside spread ones',
    `const base = { a: { type: 'count' } };\n${cube(`measures: { ...base, b: { type: 'number', sql: \`\${nothing}\` } }`)}`,
  ],
  [
    'a wrong member in a branch that runs',
    `const isOn = true;\n${cube(`measures: { a: { type: 'count' }, ...(isOn ? { b: { type: 'summ' } } : {}) }`)}`,
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
    `const kinds = ['paid', 'open'];\n${cube(`measures: Object.fromEntries(kinds.map((kind) => [kind, { type: 'count' }]))`)}\nview('v', { cubes: [{ joinPath: orders, includes: ['paid', 'closed'] }] });`,
  ],
  [
    'references outside of a definition that are no function',
    `const a = { type: 'count', drillMembers: ['id'] };\n${cube('measures: { a }')}`,
  ],
  [
    'a join path that a function gets as a text',
    `const of = (path) => ({ joinPath: path, includes: ['a'] });\n${cube(`measures: { a: { type: 'count' } }`)}\nview('v', { cubes: [of('orders')] });`,
  ],
  [
    'a name of a view that is put together',
    `${cube(`measures: { a: { type: 'count' } }`)}\nview('v', { cubes: [{ joinPath: orders, includes: '*' }] });\nview_group('g', { views: ['v' + 'w'] });`,
  ],
  [
    'a name of a member that is put together, in a view',
    `${cube(`measures: { a: { type: 'count' } }`)}\nview('v', { cubes: [{ joinPath: orders, includes: ['a' + 'b'] }] });`,
  ],
  [
    'a join path that is put together',
    `${cube(`measures: { a: { type: 'count' } }`)}\nview('v', { cubes: [{ joinPath: 'ord' + 'er', includes: ['a'] }] });`,
  ],
  [
    'the wrong type of a static method',
    `class T { static type() { return 'summ'; } }\n${cube('measures: { a: { type: T.type(), sql: `n` } }')}`,
  ],
  [
    'the wrong type of a static getter',
    `class T { static get type() { return 'summ'; } }\n${cube('measures: { a: { type: T.type, sql: `n` } }')}`,
  ],
  [
    'the wrong type of a static field of the child',
    `class A { static word = 'sum'; static type() { return this.word; } }\nclass B extends A { static word = 'summ'; }\n${cube('measures: { a: { type: B.type(), sql: `n` } }')}`,
  ],
  [
    'an unknown member in a cube of a static method',
    `class T { static make(name) { ${cube('measures: { a: { type: `sum`, sql: `${CUBE.nothing}` } }', 'name')} } }\nT.make('orders');`,
  ],
  [
    'a wrong type from a method of an object',
    `const kinds = { word: 'summ', of() { return { type: this.word, sql: () => \`n\` }; } };\n${cube('measures: { a: kinds.of() }')}`,
  ],
  [
    'wrong members of a list that a function of the script loads',
    `const load = async () => ['a', 'b'];\nasyncModule(async () => { const names = await load();\n${cube('measures: Object.fromEntries(names.map((n) => [n, { type: `summ` }]))')} });`,
  ],
  [
    'an unknown member in cubes of a list that is loaded',
    `const load = async () => ['a', 'b'];\nasyncModule(async () => { for (const name of await load()) ${cube('measures: { c: { type: `sum`, sql: `${CUBE.nothing}` } }', 'name')} });`,
  ],
  [
    'a wrong type that methods of lists make',
    `const KINDS = ['su', 'mm'];\n${cube(`measures: { a: { type: KINDS.join(''), sql: \`n\` } }`)}`,
  ],
  [
    'the name of a view that String yields',
    `${cube(`measures: { a: { type: 'count' } }`)}\nview('v', { cubes: [{ joinPath: orders, includes: '*' }] });\nview_group('g', { views: String('a') });`,
  ],
  [
    'a list with another name in place of the name of a view',
    `${cube(`measures: { a: { type: 'count' } }`)}\nview('v', { cubes: [{ joinPath: orders, includes: '*' }] });\nview_group('g', { views: [['w']] });`,
  ],
  [
    'a function without a name outside of a definition',
    `const a = { sql: function (CUBE) { return \`\${CUBE}.n\`; }, type: 'sum' };\n${cube('measures: { a }')}`,
  ],
  [
    'a function without a name that is passed to another one',
    `const sum = (sql) => ({ sql, type: 'sum' });\n${cube('measures: { a: sum(function (CUBE) { return `n`; }) }')}`,
  ],
  [
    'a method for levels outside of a definition',
    `const h = { levels() { return ['id']; } };\n${cube('hierarchies: { h }')}`,
  ],
  [
    'null in place of a switch outside of a definition',
    `const a = { type: 'number', multiStage: true, case: { switch: null, when: [{ value: 'x', sql: () => \`1\` }], else: { sql: () => \`2\` } } };\n${cube('measures: { a }')}`,
  ],
  ['an unknown name in brackets', cube('measures: { a: { type: `sum`, sql: `${CUBE["nothing"]}` } }')],
  [
    'an unknown name that a constant holds',
    `const NAME = 'nothing';\n${cube('measures: { a: { type: `sum`, sql: `${CUBE[NAME]}` } }')}`,
  ],
  [
    'an unknown name in brackets of a member that a loop makes',
    cube(
      `measures: { a: { type: 'count' }, ...Object.fromEntries(['a', 'b'].map((name) => [\`\${name}_twice\`, { type: 'number', sql: (CUBE) => \`\${CUBE[name]} * 2\` }])) }`,
    ),
  ],
  [
    'an unknown name that a function of the script gets',
    `const ratio = (a, b) => ({ type: 'number', sql: (CUBE) => \`\${CUBE[a]} / \${CUBE[b]}\` });\n${cube(`measures: { a: { type: 'count' }, b: ratio('a', 'nothing') }`)}`,
  ],
  [
    'an unknown name that a list holds',
    `const NAMES = ['id', 'nothing'];\n${cube('measures: { a: { type: `sum`, sql: `${CUBE[NAMES[1]]}` } }')}`,
  ],
  [
    'an unknown name in one of the cubes of a loop',
    `for (const name of ['id', 'b']) { ${cube('measures: { c: { type: `sum`, sql: `${CUBE[name]}` } }', '`orders_${name}`')} }`,
  ],
  [
    'a join to a cube of a loop that has no key',
    `for (const name of ['a', 'b']) cube(name, { sql_table: \`t\`, dimensions: { id: { sql: \`id\`, type: 'number' } }, measures: { c: { type: 'count' } } });\n${cube('joins: { a: { relationship: `many_to_one`, sql: `${CUBE}.a = ${a.id}` } }')}`,
  ],
  ['a text among joins', cube(`joins: ['a' + 'b']`)],
  ['nothing among joins', cube('joins: [undefined]')],
  [
    'nothing among the columns of a key',
    cube(`preAggregations: { p: { type: 'original_sql', uniqueKeyColumns: [undefined] } }`),
  ],
  [
    'a primary key that is undefined in a cube that is joined',
    `cube('a', { sql_table: \`a\`, joins: { b: { relationship: 'one_to_one', sql: \`\${CUBE}.x = \${b}.y\` } }, dimensions: { id: { sql: \`id\`, type: 'number', primaryKey: undefined } }, measures: { c: { type: 'count' } } });\n${cube('', `'b'`)}`,
  ],
  [
    'an object with other keys as a refresh key',
    `const key = { sql: \`s\`, type: 'number' };\n${cube('refreshKey: key')}`,
  ],
];

describe('a script that makes its definitions', () => {
  // @shows no-false-errors
  it.each(ACCEPTED)('has no error where the engine accepts it: %s', async (_, text) => {
    expect(await verdict(script(text))).toEqual({ engine: false, ours: false });
  });

  // @shows errors-of-the-engine
  it.each(REFUSED)('has an error where the engine refuses it: %s', async (_, text) => {
    expect(await verdict(script(text))).toEqual({ engine: true, ours: true });
  });
});

describe('a problem of a definition that a script makes', () => {
  const problemsIn = (text: string): readonly string[] =>
    problemsOf({ 'm.js': text }).map(({ severity, text: marked }) => `${severity}: ${marked}`);

  it('marks the argument that is wrong', () => {
    const make = 'const make = (type) => ({ type, sql: () => `n` });';
    expect(problemsIn(`${make}\n${cube(`measures: { a: make('sum'), b: make('summ') }`)}`)).toEqual([`error: 'summ'`]);
  });

  it('is reported once, however often the code runs', () => {
    const looped = cube(`measures: { c: { type: 'summ' } }`, 'name');
    const problems = problemsIn(`for (const name of ['a', 'b', 'c']) { ${looped} }`);
    expect(problems.filter((each) => each.includes('summ'))).toEqual([`error: 'summ'`]);
    expect(new Set(problems).size).toBe(problems.length);
  });

  it('has no fix where the value is put together', () => {
    const text = `const KIND = 'su';\n${cube('measures: { a: { type: `${KIND}mm`, sql: `n` } }')}`;
    const index = indexOf({ 'm.js': text });
    const problems = [...index.files()].flatMap((file) => fileProblems(file, index));
    expect(problems.map(({ problem }) => problem.fix)).toEqual([undefined]);
  });

  it('is unknown where a script runs without end', () => {
    const text = `const again = (n) => again(n);\n${cube('measures: { a: again(1), b: { type: `count` } }')}`;
    expect(problemsIn(text)).toEqual([]);
  });

  it.each([
    ['a list', (name: string) => `[...${name}, ...${name}]`, '[1, 2]'],
    ['a text', (name: string) => `${name} + ${name}`, `'ab'`],
  ])('is unknown where %s grows too long', (_, twice, first) => {
    const names = Array.from({ length: 25 }, (_each, at) => `l${at}`);
    const grown = names.slice(1).map((name, at) => `const ${name} = ${twice(names[at] ?? '')};\n`);
    const text = `const l0 = ${first};\n${grown.join('')}${cube('measures: { a: { type: l24, sql: `n` } }')}`;
    expect(problemsIn(text).filter((each) => !each.startsWith('error: l24'))).toEqual([]);
  });
});
