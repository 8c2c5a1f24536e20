import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';

describe('what a script makes of objects, lists and tagged templates', () => {
  it.each([
    ["const t = ['sum'];", 'measures: { a: { type: `${t}`, sql: `n` } }', false],
    ["const t = ['sum', 'avg'];", 'measures: { a: { type: `${t}`, sql: `n` } }', true],
    ['const t = [null, [undefined, 1]];', "measures: { ['a' + String(t).length]: { type: 'count' } }", false],
    ["const t = { toString: () => 'sum' };", 'measures: { a: { type: `${t}`, sql: `n` } }', false],
    ["const t = { ...{ valueOf() { return 'x'; } } };", "measures: { ['a_' + t]: { type: 'count' } }", false],
    [
      "class T { toString() { return 'sum'; } } const t = new T();",
      'measures: { a: { type: `${t}`, sql: `n` } }',
      false,
    ],
    ["const name = ['n'];", "measures: { [name]: { type: 'count' }, b: { type: 'sum', sql: `${CUBE.n}` } }", false],
    ["const list = ['n']; list.push('m');", "measures: { [list]: { type: 'count' } }", true],
    ['const q = ([first], second) => first + second;', "measures: { a: { type: q`su${'m'}`, sql: `n` } }", false],
    ['const q = (texts) => texts.raw[0];', 'measures: { a: { type: q`sum`, sql: `n` } }', false],
    ['const q = (texts) => ({ type: texts[0] });', 'measures: { a: q`count` }', false],
    [
      'const made = []; const q = ([name]) => { made.push(name); return name; }; q`n`;',
      "measures: { [made[0]]: { type: 'count' } }",
      false,
    ],
    [
      'const made = []; const q = ([name]) => { made.push(name); return name; }; q`n m`;',
      "measures: { [made[0]]: { type: 'count' } }",
      true,
    ],
    ['const q = (texts) => texts;', 'measures: { a: { type: `${q`sum`}`, sql: `n` } }', false],
  ])('is what the engine sees: %s { %s }', async (before, keys, isRefused) => {
    const model = `// file: a.js\n${before}\ncube('orders', { sql_table: 'o', ${keys} });\n`;
    expect(await verdict(model)).toEqual({ engine: isRefused, ours: isRefused });
  });
});
