import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';
import { problemsOf } from '#support/language/problems.ts';
import { js } from '#support/language/raw.ts';
import { cube } from '#support/language/script-cube.ts';

const VIEW = `view('v', { cubes: [{ joinPath: orders, includes: ['a', 'b'] }] });`;

/** Scripts that are accepted with a right word and refused with a wrong one, by what they show: `WORD` is `sum` or `summ`. */
const TYPES: readonly (readonly [string, string])[] = [
  [
    'an object that a loop fills',
    js`
      // file: m.js
      const all = {};
      for (const name of ['a', 'b']) {
        if (name === 'c') continue;
        all[name] = { type: 'WORD', sql: () => name };
      }
      ${cube('measures: all')}
      ${VIEW}
    `,
  ],
  [
    'a list that a function fills',
    js`
      // file: m.js
      function measures(names) {
        const pairs = [];
        names.forEach((name) => pairs.push([name, { type: 'WORD', sql: () => name }]));
        return Object.fromEntries(pairs);
      }
      ${cube(`measures: measures(['a', 'b'])`)}
      ${VIEW}
    `,
  ],
  [
    'a counter of a loop with labels',
    js`
      // file: m.js
      const all = {};
      outer: for (let at = 0; at < 3; at++) {
        for (;;) {
          if (at === 2) break outer;
          all['ab'[at] ?? 'x'] = { type: 'none', sql: () => 'x' };
          break;
        }
        const name = 'ab'.charAt(at);
        all[name] = { type: 'WORD', sql: () => \`c_\${at}\` };
        delete all.x;
      }
      const { x, ...rest } = all;
      ${cube('measures: { ...rest }')}
      ${VIEW}
    `.replace("all['ab'[at] ?? 'x']", 'all.x'),
  ],
  [
    'a variable of a block that hides a constant',
    js`
      // file: m.js
      const type = 'none';
      function make(given = 'WORD') {
        if (given) {
          var type = given;
        }
        {
          const type = 'none';
        }
        return { type, sql: () => 'x' };
      }
      ${cube('measures: { a: make() }')}
    `,
  ],
  [
    'instances with private fields, accessors and a parent',
    js`
      // file: m.js
      class Base {
        #type;
        constructor(type) { this.#type = type; }
        set type(type) { this.#type = type; }
        get type() { return this.#type; }
        ['ma' + 'ke']() { return { type: this.type, sql: () => 'x' }; }
      }
      class Own extends Base {
        constructor() { super('none'); this.type = 'WORD'; }
      }
      ${cube('measures: { a: new Own().make() }')}
    `,
  ],
  [
    'a parameter that a function changes',
    js`
      // file: m.js
      const add = (target, name) => { target[name] = { type: 'WORD', sql: () => name }; };
      const all = {};
      const same = all;
      add(same, 'a');
      ${cube('measures: all')}
    `,
  ],
  [
    'a switch in an asynchronous function',
    js`
      // file: m.js
      async function load(kind) {
        let type;
        switch (kind) {
          case 1: type = 'WORD'; break;
          default: type = 'none';
        }
        return { a: { type, sql: () => 'x' } };
      }
      asyncModule(async () => {
        ${cube('measures: await load(1)')}
      });
    `,
  ],
  [
    'what another file exports',
    js`
      // file: lib/kinds.js
      export const KINDS = ['WORD'];
      // file: lib/make.js
      import { KINDS } from './lib/kinds';
      export const make = (name) => ({ [name]: { type: KINDS[0], sql: () => name } });
      export default { make };
      // file: cubes/m.js
      const { make } = require('./lib/make.js');
      ${cube(`measures: { ...make('a'), ...make('b') }`)}
      // file: v.js
      ${VIEW}
    `,
  ],
  [
    'an argument for another file that defines the cube',
    js`
      // file: define.js
      export function define(name, type) {
        ${cube('measures: { a: { type, sql: `x` }, b: { type: `number`, sql: `${CUBE.a} * 2` } }', 'name')}
      }
      // file: m.js
      import { define } from './define';
      ['orders', 'others'].forEach((name) => define(name, 'WORD'));
      // file: v.js
      ${VIEW}
    `,
  ],
];

/** Models with the verdict of the engine, by what they show. */
const VERDICTS: readonly (readonly [string, string, boolean])[] = [
  [
    'a member that neither a known nor a partly known name gives',
    js`
      // file: m.js
      const n = Math.random() < 2 ? 1 : 2;
      ${cube('measures: { [`d_${n}`]: { type: `count` }, a: { type: `number`, sql: () => `${CUBE.nothing}` } }'.replace('() =>', '(CUBE) =>'))}
    `,
    true,
  ],
  [
    'a member that a partly known name gives',
    js`
      // file: m.js
      const n = Math.random() < 2 ? 1 : 2;
      ${cube('measures: { [`d_${n}`]: { type: `count` }, a: { type: `number`, sql: `${CUBE.d_1}` } }')}
      view('v', { cubes: [{ joinPath: orders, includes: ['d_1'] }] });
    `,
    false,
  ],
  [
    'a view of a member that a partly known name cannot give',
    js`
      // file: m.js
      const n = Math.random() < 2 ? 1 : 2;
      ${cube('measures: { ["d_" + n]: { type: `count` } }')}
      view('v', { cubes: [{ joinPath: orders, includes: ['e_1'] }] });
    `,
    true,
  ],
  [
    'a cube of a loop over what is not known',
    js`
      // file: m.js
      const names = Math.random() < 2 ? ['a', 'b'] : [];
      for (const name of names) { ${cube('measures: { c: { type: `count` } }', '`tenant_${name}`')} }
      view('v', { cubes: [{ joinPath: tenant_a, includes: ['c'] }] });
    `,
    false,
  ],
  [
    'a cube that no loop over what is not known can make',
    js`
      // file: m.js
      const names = Math.random() < 2 ? ['a', 'b'] : [];
      for (const name of names) { ${cube('measures: { c: { type: `count` } }', '`tenant_${name}`')} }
      ${cube('measures: { a: { type: `sum`, sql: `${nothing.c}` } }')}
    `,
    true,
  ],
  [
    'a member that a cube of a loop does not have',
    js`
      // file: m.js
      for (const name of ['a', 'b']) { ${cube('measures: { c: { type: `count` } }', 'name')} }
      view('v', { cubes: [{ joinPath: a, includes: ['nothing'] }] });
    `,
    true,
  ],
  [
    'a name that nothing declares in a function that runs',
    js`
      // file: m.js
      const make = () => { const kind = 'sum'; return { type: kinds, sql: () => 'x' }; };
      ${cube('measures: { a: make() }')}
    `,
    true,
  ],
  [
    'a name that nothing declares where an error is caught',
    js`
      // file: m.js
      let type = 'sum';
      try { type; nothing; } catch { /* The default stays. */ }
      ${cube('measures: { a: { type, sql: `x` } }')}
    `,
    false,
  ],
  [
    'a bare name of a member in a function outside of a cube with a computed name',
    js`
      // file: m.js
      const twice = { type: 'number', sql: (a) => \`\${a} * 2\` };
      for (const name of ['orders']) { ${cube('measures: { a: { type: `count` }, twice }', 'name')} }
    `,
    false,
  ],
  [
    'an object of another file that a script changes',
    js`
      // file: shared.js
      export const all = { a: { type: 'summ', sql: () => 'x' } };
      // file: b.js
      const shared = require('./shared');
      shared.all.a = { type: 'sum', sql: () => 'x' };
      // file: m.js
      import { all } from './shared';
      ${cube('measures: all')}
    `,
    false,
  ],
  [
    'a setter without a getter in place of SQL',
    js`
      // file: m.js
      ${cube('measures: { a: { type: `sum`, set sql(x) {} } }')}
    `,
    true,
  ],
  [
    'an unknown spread behind a member that it may replace',
    js`
      // file: m.js
      const more = Math.random() < 2 ? { a: { type: 'count' } } : {};
      ${cube('measures: { a: { type: `summ` }, ...more }')}
    `,
    false,
  ],
];

describe('a script that changes values while it runs, or that imports them', () => {
  // @shows errors-of-the-engine, no-false-errors
  it.each(TYPES)('is judged as by the engine: %s', async (_, text) => {
    expect(await verdict(text.replaceAll('WORD', 'sum'))).toEqual({ engine: false, ours: false });
    expect(await verdict(text.replaceAll('WORD', 'summ'))).toEqual({ engine: true, ours: true });
  });

  it.each(VERDICTS)('is judged as by the engine: %s', async (_, text, isRefused) => {
    expect(await verdict(text)).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('a script that never ends', () => {
  it.each(['for (;;) {}', 'while (true) {}', 'do {} while (1);', 'for (;;) { continue; }'])(
    'is left alone: %s',
    (loop) => {
      const found = problemsOf({ 'm.js': `const a = { type: 'count' };\n${loop}\n${cube('measures: { a }')}` });
      expect(found).toEqual([]);
    },
  );
});

describe('a mistake in what a script imports', () => {
  it('is shown where the script uses it, and follows changes of the other file', () => {
    const files = {
      'kinds.js': `export const make = () => ({ a: { type: 'summ', sql: () => 'x' } });`,
      'm.js': `import { make } from './kinds';\n${cube('measures: { ...make() }')}`,
    };
    const found = problemsOf(files).map(({ file, severity, text }) => `${file} ${severity}: ${text}`);
    expect(found).toEqual(['m.js error: make()']);
    expect(problemsOf({ ...files, 'kinds.js': files['kinds.js'].replace('summ', 'sum') })).toEqual([]);
    expect(problemsOf(Object.fromEntries(Object.entries(files).toReversed())).length).toBe(1);
  });
});
