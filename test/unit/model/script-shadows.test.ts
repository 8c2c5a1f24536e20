import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';
import { script } from '#support/language/script-cube.ts';

/** A script whose only mistake is a measure that does not exist, below other code. */
const model = (code: string): string =>
  script(
    `${code}\ncube('a', { sql_table: 't', dimensions: { id: { sql: 'id', type: 'number', primary_key: true } }, ` +
      'measures: { share: { type: `number`, sql: `${nothing} / 2` } } });\n',
  );

describe('a variable with the name of a function that defines', () => {
  it.each([
    "const xs = ['x'].filter((cube) => cube !== 'y');",
    'const ids = (cube) => `${cube}_id`;',
    'function pick(view) { return view.id; }',
    'const all = Object.entries({ a: 1 }).map(([view, { sql } = {}]) => [view, sql]);',
    "const rest = ['x'].map((...cube) => cube.length);",
    'for (const cube of []) { console.log(cube); }',
    'for (const cube in {}) { console.log(cube); }',
    'for (let view = 0; view < 0; view++) { console.log(view); }',
    "try { JSON.parse('{'); } catch (view) { console.log(view); }",
    "function outer() { const cube = 'x'; return cube + '_id'; }",
    'const parts = { cube: 1, view() { return 1; } }; parts.cube = 2;',
  ])('hides no mistake: %s', async (code) => {
    expect(await verdict(model(code))).toEqual({ engine: true, ours: true });
  });

  it.each([
    'const define = (cube) => cube(NAME, IT); define(cube);',
    '[cube].forEach((make) => make(NAME, IT));',
    'function run(view, make) { make(NAME, IT); } run(1, cube);',
    'const made = (cube) => cube; made(cube)(NAME, IT);',
  ])('hides no definition: %s', async (code) => {
    const it = "{ sql_table: () => 't', dimensions: { id: { sql: () => 'id', type: 'number' } } }";
    const text = script(
      `${code.replace('NAME', "'b'").replace('IT', it)}\nview('v', { cubes: [{ join_path: b, includes: ['id'] }] });\n`,
    );
    expect(await verdict(text)).toEqual({ engine: false, ours: false });
  });
});
