import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';
import { problemsOf } from '#support/language/problems.ts';
import { cube, script } from '#support/language/script-cube.ts';

const rest = (sql: string): string =>
  `measures: { a: { type: 'count' }, m: { type: 'number', sql: ${sql} } }, segments: { s: { sql: \`x\` } }`;
const model = (sql: string): string => cube(rest(sql));

describe('a variable in a function for SQL', () => {
  it.each([
    'const a = 1;',
    'let m = 1;',
    'const id = 1;',
    'const s = 1;',
    'class a {}',
    'const { a } = { a: 1 };',
    'const { z: a } = { z: 1 };',
    'const [q, ...a] = [1];',
    'const { a = 1 } = {};',
    'const orders = 1;',
    'const CUBE = 1;',
    'const FILTER_PARAMS = 1;',
    'const securityContext = 1;',
    'const groups = 1;',
  ])('is refused with the name of a cube, a member or the engine: %s', async (statement) => {
    expect(await verdict(script(model(`() => { ${statement} return 'x'; }`)))).toEqual({ engine: true, ours: true });
  });

  it.each([
    'var a = 1;',
    'function a() {}',
    'const q = 1;',
    'const { a: q } = { a: 1 };',
    '{ const a = 1; }',
    'if (true) { const a = 1; }',
    'const f = () => { const a = 1; };',
    'const COMPILE_CONTEXT = 1;',
  ])('is accepted: %s', async (statement) => {
    expect(await verdict(script(model(`() => { ${statement} return 'x'; }`)))).toEqual({ engine: false, ours: false });
  });

  it.each([
    ['in a function in brackets', model(`\`\${(() => { const a = 'q'; return a; })()}\``)],
    ['in a function that is no arrow function', model(`function () { const a = 'q'; return a; }`)],
    ['in a cube that a constant names', `const N = 'orders'; ${cube(rest(`() => { const a = 'q'; return a; }`), 'N')}`],
    ['in a cube that never runs', `if (false) ${model(`() => { const a = 'q'; return a; }`)}`],
    [
      'outside of the definition',
      `const m = { type: 'number', sql: () => { const a = 'q'; return a; } };\n${cube(`measures: { a: { type: 'count' }, m }`)}`,
    ],
    [
      'with the name of a hierarchy',
      cube(`hierarchies: { h: { levels: [id] } }, ${rest(`() => { const h = 'q'; return h; }`)}`),
    ],
  ])('may have the name of a member %s', async (_, text) => {
    expect(await verdict(script(text))).toEqual({ engine: false, ours: false });
  });

  it('is marked, with what its name is', () => {
    expect(problemsOf({ 'm.js': model(`() => { const a = 'q'; return a; }`) })).toMatchObject([
      {
        severity: 'error',
        code: 'duplicate-name',
        text: 'a',
        message: expect.stringContaining('a measure of `orders`') as string,
      },
    ]);
  });
});
