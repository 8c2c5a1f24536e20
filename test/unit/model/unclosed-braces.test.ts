import { describe, expect, it } from 'vitest';
import { verdict } from '#support/language/injected/verdict.ts';
import { problemsOf } from '#support/language/problems.ts';
import { yaml } from '#support/language/raw.ts';

const cube = (value: string): string => yaml`
  cubes:
    - name: orders
      sql_table: orders
      dimensions:
        - {name: status, sql: status, type: string}
        - name: x
          type: string
          sql: ${value}
`;
const quoted = (sql: string): readonly string[] => [
  JSON.stringify(sql),
  `'${sql.replaceAll("'", "''")}'`,
  `>-\n  ${sql}`,
];

describe('a brace that nothing closes', () => {
  it.each([
    // The engine reads what follows a quote as a text.
    ["'{' || x", false],
    ["CONCAT('{', x)", false],
    ["CASE WHEN {CUBE}.a = '}' THEN '{' END", false],
    ["'{' || {status}", false],
    ["'{' || {nothing}", true],
    ["'{' || {status", true],
    ["x || '{\"' || y", false],
    ['x { "y', false],
    ["x {[ 'y", false],
    ["x {not 'y", false],
    ["x {f'y", false],
    ['x {f"y', false],
    ["{CUBE}{'x", true],
    // Otherwise it reads an expression without an end.
    ["x {y 'z", true],
    ["x {1 'z", true],
    ["x {'y' z", true],
    ['x {y', true],
    ['x {', true],
    // A comment includes the missing brace, and the engine fails at text before it.
    ['x {# y', true],
    ['{# y', false],
    ['{CUBE}{# y', false],
    ['{CUBE}{# y}', false],
    ['{CUBE}x{# y}', true],
    ['{CUBE}{,}', false],
  ])('is judged as by the engine, in each style: %s', async (sql, isRefused) => {
    for (const value of quoted(sql))
      expect({ value, ...(await verdict(cube(value))) }).toEqual({ value, engine: isRefused, ours: isRefused });
  });

  it('is only a warning where the engine reads a text, because it accepts that', () => {
    const found = problemsOf({ 'm.yml': cube(`"CONCAT('{', x)"`) });
    expect(found.map(({ severity, code, line, text, message }) => ({ severity, code, line, text, message })))
      .toMatchInlineSnapshot(`
      [
        {
          "code": "bad-expression",
          "line": 8,
          "message": "Nothing closes this \`{\`, so the engine drops it and adds a quote at the end. Write \`\\{\` for the character itself.",
          "severity": "warning",
          "text": "{",
        },
      ]
    `);
  });
});
