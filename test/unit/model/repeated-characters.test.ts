import { describe, expect, it } from 'vitest';
import { hasRefusedArgument } from '#model/checks/call-arguments.ts';
import { isUnreadable } from '#model/checks/templates.ts';
import { withoutStrings } from '#model/expressions/without-strings.ts';
import { ignores } from '#model/ignores.ts';
import { looksLikeModel } from '#model/project/looks-like-model.ts';
import { withoutElisions } from '#model/proposed/elisions.ts';
import { scalarType } from '#model/syntax/tree.ts';
import { splitYaml } from '#model/syntax/yaml/split.ts';

/** A reader that tries each character more than once would need hours for so many. */
const MANY = 100_000;

describe('a model with a character that is repeated very often', () => {
  it('may have empty items: they are not yet a model, and no other file', () => {
    expect(looksLikeModel('a.yml', `cubes:\n${'  -\n'.repeat(MANY)}`)).toBe(true);
    expect(looksLikeModel('a.yml', `cubes:\n${'  - \n'.repeat(20)}  x`)).toBe(false);
  });

  it('may have a string with backslashes that is never closed', () => {
    const string = `"${'\\'.repeat(MANY + 1)}a`;
    expect(hasRefusedArgument(`x(${string})`)).toBe(true);
    expect(isUnreadable(`x ${string}`, 'braces')).toBe(false);
  });

  it('may have spaces behind a key, or behind a comment that switches problems off', () => {
    expect(splitYaml(`a${' '.repeat(MANY)}b\n`).ranges).toHaveLength(1);
    expect(ignores(`# modelbench-ignore: x${' '.repeat(MANY)}!`)('x', 0)).toBe(false);
    expect(ignores(`# modelbench-ignore: x${' '.repeat(MANY)}`)('x', 0)).toBe(true);
  });

  it('may have a long run of digits that is not a number', () => {
    const node = { kind: 'scalar', style: 'plain', value: `${'1'.repeat(MANY)}x`, start: 0, end: MANY + 1 } as const;
    expect(scalarType(node)).toBe('string');
  });

  it('may be proposed with rules of comment signs', () => {
    const line = `${'#'.repeat(MANY)}${' '.repeat(MANY)}x${' '.repeat(MANY)}*`;
    expect(withoutElisions(line, undefined)).toEqual({ pieces: [line], text: line, isElided: false });
  });
});

describe('strings of an expression', () => {
  it.each([
    ['f("a" + \'b\')', 'f(_ + _)', 'f(_ + _)'],
    [String.raw`f("a\"b")`, 'f(_)', 'f(_)'],
    ['f("""a"b""")', 'f(_)', 'f(___")'],
    ['f"a {x}" + abc"d"', '_ + abc_', '_ + _'],
    [String.raw`f("a\")`, String.raw`f("a\")`, String.raw`f("a\")`],
    ['f("a', 'f("a', 'f("a'],
  ])('are replaced in %s', (expression, triple, simple) => {
    expect(withoutStrings(expression, { triple: true })).toBe(triple);
    expect(withoutStrings(expression, { triple: false })).toBe(simple);
  });
});
