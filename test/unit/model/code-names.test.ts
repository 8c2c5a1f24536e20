import { describe, expect, it } from 'vitest';
import { problemsOf } from '#support/language/problems.ts';
import { indented, yaml } from '#support/language/raw.ts';

/** The names that are refused in a model whose cube `a` has this SQL in a dimension. */
function refused(expression: string, more = ''): string[] {
  const content = `cubes:\n  - name: a\n    sql_table: t\n    dimensions:\n      - name: x\n        type: string\n        sql: "${expression}"\n${more}`;
  return problemsOf({ 'a.yml': content })
    .filter(({ code }) => code === 'code-in-expression')
    .map(({ text: marked }) => marked);
}

describe('expressions of YAML', () => {
  it.each([
    ["{COMPILE_CONTEXT.constructor.constructor('return process')()}", ['constructor']],
    ['{COMPILE_CONTEXT.securityContext.__proto__}', ['__proto__']],
    ['{SQL_UTILS.constructor}', ['constructor']],
    ['{SQL_UTILS.other(1)}', ['other']],
    ['{CUBE.constructor}', ['constructor']],
    ['{FILTER_PARAMS.a.x.filter(lambda v: v.constructor)}', ['constructor']],
    ["{''.constructor}", ['constructor']],
    // A name that every object has must not be taken for one of the table's own.
    ['{constructor.constructor}', ['constructor']],
    ['{toString.call}', []],
    ['{globalThis.x}', ['globalThis']],
    ["{require('fs')}", ['require']],
    ['{Function(1)}', ['Function']],
    ['{process.env.KEY}', ['process']],
  ])('may not lead into the compiler: %s', (expression, names) => {
    expect(refused(expression)).toEqual(names);
  });

  it.each([
    '{CUBE}.status',
    '{CUBE.x} || t.constructor',
    "{FILTER_PARAMS.a.x.filter('t.x')}",
    "{FILTER_GROUP(FILTER_PARAMS.a.x.filter('x'))}",
    "{SQL_UTILS.convertTz('x')} {SQL_UTILS.urlEncode('x')}",
    "{SECURITY_CONTEXT.team.filter('x')} {COMPILE_CONTEXT.securityContext.tenant}",
    'Date(process.created)',
  ])('may name what the language has: %s', (expression) => {
    expect(refused(expression)).toEqual([]);
  });

  it('may name cubes and members that are called like something of JavaScript', () => {
    const more = indented(
      2,
      yaml`
        - name: Map
          sql_table: t
          dimensions:
            - {name: Date, type: time, sql: "{CUBE}.d"}
      `,
    );
    expect(refused('{Map.Date}', more)).toEqual([]);
  });

  it('cause one problem wherever they stand', () => {
    const texts = [
      'description: "{COMPILE_CONTEXT.constructor}"',
      'public: COMPILE_CONTEXT.constructor.constructor(1)',
      'extends: a.constructor.constructor(1)',
      'meta: { x: ["{CUBE.constructor}"] }',
    ];
    const found = texts.map((text) =>
      problemsOf({ 'a.yml': `cubes:\n  - name: b\n    sql_table: t\n    ${text}\n` }).map(({ code }) => code),
    );
    expect(found).toEqual([['code-in-expression'], ['code-in-expression'], ['unknown-reference'], ['braces-in-text']]);
  });
});
