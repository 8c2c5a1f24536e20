import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';

/** A cube with a key, and what else is in its definition. */
function cube(rest: string, name = `'orders'`): string {
  const id = `id: { sql: \`id\`, type: 'number', primaryKey: true }`;
  return `cube(${name}, { sql_table: \`t\`, dimensions: { ${id} }, ${rest} });`;
}

/** Scripts by what they show, and whether the engine refuses them. */
const SCRIPTS: readonly (readonly [string, string, boolean])[] = [
  [
    'a cube in a static block',
    `class A { static { ${cube(`measures: { c: { type: 'count' } }`)} } }\nview('v', { cubes: [{ joinPath: orders, includes: ['c'] }] });`,
    false,
  ],
  ['a wrong type in a static block', `class A { static { ${cube(`measures: { c: { type: 'summ' } }`)} } }`, true],
  [
    'a wrong type in a static block of a class without a name',
    `const A = class { static { const type = 'summ'; ${cube('measures: { c: { type, sql: `x` } }')} } };`,
    true,
  ],
  [
    'an unknown member in a static block',
    `class A { static { const name = 'orders'; ${cube('measures: { c: { type: `sum`, sql: `${CUBE.nothing}` } }', 'name')} } }`,
    true,
  ],
  [
    'names in brackets in a function of a template',
    `const COLUMNS = ['id', 'b'];\n${cube('measures: { b: { type: `count` }, c: { type: `number`, sql: `${COLUMNS.map((c) => CUBE[c]).join("+")}` } }')}`,
    false,
  ],
  [
    'names in brackets in a function whose parameter hides a constant',
    `const c = 'nothing';\n${cube("measures: { d: { type: `sum`, sql: `${['id'].map((c) => CUBE[c]).join()}` } }")}`,
    false,
  ],
  [
    'an unknown name in brackets in a function of a template',
    `const COLUMNS = ['id', 'nothing'];\n${cube('measures: { c: { type: `sum`, sql: `${COLUMNS.map((c) => CUBE[c]).join("+")}` } }')}`,
    true,
  ],
  [
    'an unknown name in brackets in a template in a function of a template',
    `const PAIRS = [['id', 'b'], ['id', 'nothing']];\n${cube('measures: { b: { type: `count` }, c: { type: `number`, sql: `${PAIRS.map(([c, d]) => `${CUBE[c]} + ${CUBE[d]}`).join("+")}` } }')}`,
    true,
  ],
  [
    'a getter with a function in it',
    cube(`measures: { get c() { const t = () => 'sum'; return { type: t(), sql: () => 'x' }; } }`),
    false,
  ],
  [
    'a wrong type of a getter with a function in it',
    cube(`measures: { get c() { const t = () => 'summ'; return { type: t(), sql: () => 'x' }; } }`),
    true,
  ],
  [
    'a wrong type of a getter of all members',
    `cube('orders', { sql_table: \`t\`, get measures() { const kinds = ['summ']; return Object.fromEntries(kinds.map((type) => [type, { type, sql: () => 'x' }])); } });`,
    true,
  ],
  [
    'a getter and a setter of a member',
    cube(`measures: { get c() { return { type: 'count' }; }, set c(value) {} }`),
    false,
  ],
];

describe('code that a definition of a script is in, or that is in one', () => {
  // @shows errors-of-the-engine
  it.each(SCRIPTS)('is judged as by the engine: %s', async (_, text, isRefused) => {
    expect(await verdict(`// file: m.js\n${text}`)).toEqual({ engine: isRefused, ours: isRefused });
  });
});
