import { describe, expect, it } from 'vitest';
import { fileProblems } from '#model/checks/file-problems.ts';
import { indexOf, problemsOf } from '#support/language/problems.ts';
import { js } from '#support/language/raw.ts';
import { cube, script } from '#support/language/script-cube.ts';
import { verdict } from '#support/language/injected/verdict.ts';

/** Scripts that the engine accepts, by what they show. */
const ACCEPTED: readonly (readonly [string, string])[] = [
  [
    'a wrong member that a later one replaces',
    js`
      const old = { a: { type: 'summ' } };
      ${cube(`measures: { ...old, a: { type: 'count' } }`)}
    `,
  ],
  [
    'a wrong member that Object.assign replaces',
    js`
      const old = { a: { type: 'summ' } };
      ${cube(`measures: Object.assign({}, old, { a: { type: 'count' } })`)}
    `,
  ],
  [
    'a wrong value that a spread replaces',
    js`
      const right = { type: 'count' };
      ${cube(`measures: { a: { type: 'summ', ...right } }`)}
    `,
  ],
  [
    'a wrong member in a branch that never runs',
    js`
      const isOn = false;
      ${cube(`measures: { a: { type: 'count' }, ...(isOn && { b: { type: 'summ' } }) }`)}
    `,
  ],
  [
    'a wrong value that the script corrects',
    js`
      const all = { a: { type: 'summ' } };
      all.a.type = 'count';
      ${cube('measures: all')}
    `,
  ],
  [
    'a wrong value that a function corrects',
    js`
      const all = { a: { type: 'summ' } };
      function fix(some) { some.a = { type: 'count' }; }
      fix(all);
      ${cube('measures: all')}
    `,
  ],
  [
    'a wrong value that is corrected under another name',
    js`
      const all = { a: { type: 'summ' } };
      const other = all;
      other.a = { type: 'count' };
      ${cube('measures: all')}
    `,
  ],
  [
    'a parameter that names nothing, in a list of references',
    js`
      const a = { type: 'count', drillMembers: (nothing) => [nothing] };
      ${cube('measures: { a }')}
    `,
  ],
  [
    'SQL that is passed to a function of the script',
    js`
      const sum = ({ type = 'sum', sql }) => ({ type, sql });
      ${cube('measures: { a: sum({ sql: `a` }) }')}
    `,
  ],
  [
    'a constant with the name of a member that a view includes',
    js`
      const name = 'a';
      ${cube(`measures: { a: { type: 'count' } }`)}
      view('v', { cubes: [{ joinPath: orders, includes: [name] }] });
    `,
  ],
  [
    'a cube with the name of a constant',
    js`
      const orders = 'nothing';
      ${cube(`measures: { a: { type: 'count' } }`)}
      view('v', { cubes: [{ joinPath: orders, includes: ['a'] }] });
    `,
  ],
  [
    'views of a group in a function',
    js`
      ${cube(`measures: { a: { type: 'count' } }`)}
      view('v', { cubes: [{ joinPath: orders, includes: '*' }] });
      view_group('g', { views: () => [v] });
    `,
  ],
  [
    'a single view of a group',
    js`
      ${cube(`measures: { a: { type: 'count' } }`)}
      view('v', { cubes: [{ joinPath: orders, includes: '*' }] });
      view_group('g', { views: 'v' });
    `,
  ],
  ['a gap in a list of levels', cube(`measures: { a: { type: 'count' } }, hierarchies: { h: { levels: [id, , id] } }`)],
  [
    'members of a loop in a view',
    js`
      const kinds = { paid: 'Paid', open: 'Open' };
      ${cube(`measures: Object.entries(kinds).reduce((all, [kind, title]) => ({ ...all, [\`\${kind}_count\`]: { type: 'count', title } }), {})`)}
      view('v', { cubes: [{ joinPath: orders, includes: ['paid_count', 'open_count'] }] });
    `,
  ],
  [
    'cubes of a loop that refer to themselves',
    `for (const name of ['a', 'b']) { ${cube(`measures: { a: { type: 'count', drillMembers: [CUBE.id] } }`, 'name')} }`,
  ],
  [
    'the type of a static method',
    js`
      class T { static type() { return 'sum'; } }
      ${cube('measures: { a: { type: T.type(), sql: `n` } }')}
    `,
  ],
  [
    'a static field that is replaced',
    js`
      class T { static type = 'summ'; }
      T.type = 'sum';
      ${cube('measures: { a: { type: T.type, sql: `n` } }')}
    `,
  ],
  [
    'a static field that a block of its class replaces',
    js`
      class T { static type = 'summ'; static { this.type = 'sum'; } }
      ${cube('measures: { a: { type: T.type, sql: `n` } }')}
    `,
  ],
  [
    'a static method of a parent that reads a field of the child',
    js`
      class A { static word = 'summ'; static type() { return this.word; } }
      class B extends A { static word = 'sum'; }
      ${cube('measures: { a: { type: B.type(), sql: `n` } }')}
    `,
  ],
  [
    'members of static methods',
    js`
      class T { static type = 'sum'; static of(n) { return { [n]: { type: this.type, sql: () => n } }; } static get all() { return { ...this.of('a'), ...T.of('b') }; } }
      ${cube('measures: T.all')}
      view('v', { cubes: [{ joinPath: orders, includes: ['a', 'b'] }] });
    `,
  ],
  [
    'a value that a method of an object corrects',
    js`
      const fixer = { fix(some) { some.type = 'sum'; } };
      const a = { type: 'summ', sql: () => \`n\` };
      fixer.fix(a);
      ${cube('measures: { a }')}
    `,
  ],
  [
    'a value that a replaced method corrects',
    js`
      class F { static fix(some) { return some; } }
      F.fix = (some) => { some.type = 'sum'; };
      const a = { type: 'summ', sql: () => \`n\` };
      F.fix(a);
      ${cube('measures: { a }')}
    `,
  ],
  [
    'members of a list that a function of the script loads',
    js`
      const load = async () => ['a', 'b'];
      asyncModule(async () => { const names = await load();
      ${cube('measures: Object.fromEntries(names.map((n) => [n, { type: `count` }]))')}
      view('v', { cubes: [{ joinPath: orders, includes: ['b'] }] }); });
    `,
  ],
  [
    'a type that methods of texts and lists make',
    js`
      const KIND = 'SUM_x';
      const KINDS = ['su', 'm', 'x'];
      ${cube(`measures: { a: { type: KIND.split('_')[0].toLowerCase(), sql: \`n\` }, b: { type: KINDS.slice(0, 2).join(''), sql: \`n\`, public: KINDS.length > 2 } }`)}
    `,
  ],
  [
    'a function of the script with the name of one of JavaScript',
    js`
      const String = () => 'sum';
      ${cube(`measures: { a: { type: String('summ'), sql: \`n\` } }`)}
    `,
  ],
  [
    'members of all arguments',
    js`
      const all = (...names) => Object.fromEntries(names.map((n) => [n, { type: 'count' }]));
      const NAMES = ['b', 'c'];
      ${cube(`measures: all('a', ...NAMES)`)}
      view('v', { cubes: [{ joinPath: orders, includes: ['a', 'c'] }] });
    `,
  ],
  [
    'a list in place of the name of a view',
    js`
      const NAMES = ['v'];
      ${cube(`measures: { a: { type: 'count' } }`)}
      view('v', { cubes: [{ joinPath: orders, includes: '*' }] });
      view_group('g', { views: [NAMES, ['v']] });
    `,
  ],
  [
    'a function with a name outside of a definition',
    js`
      const a = { sql: function named() { return \`n\`; }, type: 'sum' };
      ${cube('measures: { a }')}
    `,
  ],
  [
    'a method for the SQL of a subquery',
    js`
      const a = { sql() { return \`n\`; }, type: 'number', subQuery: true };
      cube('orders', { sql_table: \`t\`, dimensions: { a } });
    `,
  ],
  [
    'members whose names are in brackets',
    js`
      const ratio = (a, b) => ({ type: 'number', sql: (CUBE) => \`\${CUBE[a]} / \${CUBE['b']} + \${CUBE[b]}\` });
      ${cube(`measures: { a: { type: 'count' }, b: { type: 'count' }, c: ratio('a', 'b'), d: ratio('b', 'a') }`)}
    `,
  ],
  [
    'items of a list in SQL',
    js`
      const COLUMNS = ['x', 'nothing'];
      ${cube('measures: { a: { type: `sum`, sql: `${COLUMNS[0]} + ${COLUMNS.length}` } }')}
    `,
  ],
  [
    'a bare name of a member in a function outside of a cube whose name is computed',
    js`
      const twice = { type: 'number', sql: (a) => \`\${a} * 2\` };
      for (const name of ['orders']) { ${cube('measures: { a: { type: `count` }, twice }', 'name')} }
    `,
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
    js`
      for (const name of ['a', 'b']) { ${cube('measures: { c: { type: `count` } }', 'name')} }
      ${cube('measures: { c: { type: `count` } }, joins: { a: { relationship: `many_to_one`, sql: `${CUBE}.a = ${a.id}` } }')}
    `,
  ],
];

describe('a script that makes its definitions', () => {
  // @shows no-false-errors
  it.each(ACCEPTED)('has no error where the engine accepts it: %s', async (_, text) => {
    expect(await verdict(script(text))).toEqual({ engine: false, ours: false });
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
