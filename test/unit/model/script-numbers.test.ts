import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';
import { cube, script } from '#support/language/script-cube.ts';

/** Constants from which scripts calculate what is not a number, and a number without an end. */
const constants = `const TEXT = 'status'; const NONE = 0;\n`;

describe('a value that a script calculates and that is not a finite number', () => {
  const groups = ['measures', 'segments', 'hierarchies', 'joins', 'preAggregations', 'accessPolicy'];
  const values = ['-TEXT', '+TEXT', 'TEXT - 1', '1 / NONE'];

  // @shows no-false-errors
  it.each(groups.flatMap((group) => values.slice(0, 3).map((value) => [group, value] as const)))(
    'is a group without members, as to the engine: %s: %s',
    async (group, value) => {
      expect(await verdict(script(constants + cube(`${group}: ${value}`)))).toEqual({ engine: false, ours: false });
    },
  );

  // @shows errors-of-the-engine
  it.each(
    ['title', 'public', 'dataSource', 'refreshKey'].flatMap((key) => values.map((value) => [key, value] as const)),
  )('is wrong elsewhere: %s: %s', async (key, value) => {
    expect(await verdict(script(constants + cube(`${key}: ${value}`)))).toEqual({ engine: true, ours: true });
  });
});

describe('a value of a script that is written and odd', () => {
  const time = (value: string): string => `dimensions: { d: { sql: \`d\`, type: 'time', timeShift: ${value} } }`;
  const rollup = (type: string): string => `preAggregations: { m: { type: ${type}, measures: [CUBE.n] } }`;

  it.each<readonly [string, boolean]>([
    [time('NaN'), true],
    [time('1 / NONE'), true],
    [time('5n'), true],
    [time('[]'), true],
    [rollup('NaN'), false],
    [rollup('0n'), false],
    [rollup('5n'), true],
    ['accessPolicy: 0n', false],
    ['accessPolicy: 5n', true],
    ...['measures', 'segments', 'hierarchies', 'preAggregations'].flatMap((group) => [
      [`${group}: [5]`, true] as const,
      [`${group}: [,]`, false] as const,
      [`${group}: [, 5]`, true] as const,
    ]),
  ])('is judged as by the engine: %s', async (keys, isRefused) => {
    expect(await verdict(script(constants + cube(keys)))).toEqual({ engine: isRefused, ours: isRefused });
  });
});

describe('a branch of a case with a switch', () => {
  const model = (otherwise: string): string =>
    script(
      `const NOTHING = undefined;\n${cube(`measures: {
        total: { sql: \`total\`, type: 'sum' },
        converted: {
          type: 'number',
          multi_stage: true,
          case: { switch: \`\${CUBE.id}\`, when: [{ value: 'a', sql: \`\${total}\` }], else: { ${otherwise} } },
        },
      }`)}`,
    );

  // @shows no-false-errors
  it.each(['sql: undefined', 'sql: NOTHING', 'sql: null'])(
    'has SQL where the engine makes a function of it: %s',
    async (otherwise) => {
      expect(await verdict(model(otherwise))).toEqual({ engine: false, ours: false });
    },
  );

  // @shows errors-of-the-engine
  it.each(['', 'sql: undefined, label: `a`', '...undefined'])('is wrong otherwise: %s', async (otherwise) => {
    expect(await verdict(model(otherwise))).toEqual({ engine: true, ours: true });
  });
});
