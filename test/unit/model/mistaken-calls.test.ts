import { describe, expect, it } from 'vitest';
import { parseFile } from '#model/file.ts';
import { verdict } from '#support/language/injected/verdict.ts';
import { js } from '#support/language/raw.ts';
import { cube, script } from '#support/language/script-cube.ts';

const CUBE = cube(`measures: { a: { type: 'count' } }`);

/** Calls of values that are certainly not functions. */
const REFUSED: readonly (readonly [string, string])[] = [
  ['a text', `'a'();\n${CUBE}`],
  ['a text in a definition', cube(`title: 'Orders'(), measures: { a: { type: 'count' } }`)],
  ['a number of a constant', `const count = 5;\ncount();\n${CUBE}`],
  ['an object', `const types = { a: 'count' };\ntypes();\n${CUBE}`],
  ['a list', `const types = ['count'];\ntypes(0);\n${CUBE}`],
  ['a text of an object', `const types = { a: 'count' };\n${cube(`measures: { a: { type: types.a() } }`)}`],
  [
    'a text of a nested object',
    `const types = { a: { b: 'count' } };\n${cube(`measures: { a: { type: types.a.b() } }`)}`,
  ],
  ['a text in brackets', `const types = { a: 'count' };\n${cube(`measures: { a: { type: types['a']() } }`)}`],
  ['what a function returns', `const type = () => 'count';\n${cube(`measures: { a: { type: type()() } }`)}`],
  ['a value in a function that is called', `const name = 'a';\nconst run = () => name();\nrun();\n${CUBE}`],
  ['a value in a loop', `for (const name of ['a', 'b']) name();\n${CUBE}`],
  ['a value in asyncModule', `asyncModule(async () => { const name = 'a'; name(); });\n${CUBE}`],
  ['null', `const nothing = null;\nnothing();\n${CUBE}`],
  ['a text of an instance', `class Types { a = 'count'; }\nconst types = new Types();\ntypes.a();\n${CUBE}`],
  ['what a method of a text yields', `const name = 'a'.toUpperCase();\nname();\n${CUBE}`],
  ['a truth', `const isOn = !'a';\nisOn();\n${CUBE}`],
  ['a text that is called optionally', `'a'?.();\n${CUBE}`],
  ['a value behind a change', `let make = () => 1;\nmake = 'a';\nmake();\n${CUBE}`],
];

/** Calls that never run, whose error is caught, or that call functions after all. */
const ACCEPTED: readonly (readonly [string, string])[] = [
  ['a function that is never called', `const name = 'a';\nconst run = () => name();\n${CUBE}`],
  ['a call whose error is caught', `try { 'a'(); } catch { }\n${CUBE}`],
  ['a call behind a condition that is false', `const name = 'a';\nif (typeof name === 'function') name();\n${CUBE}`],
  ['a call behind an operator', `const name = 'a';\nfalse && name();\n${CUBE}`],
  ['a call of nothing that is optional', `const nothing = null;\nnothing?.();\n${CUBE}`],
  ['a value that becomes a function', `let make = 'a';\nmake = () => 1;\nmake();\n${CUBE}`],
  ['a key that becomes a function', `const types = { a: 'count' };\ntypes.a = () => 'count';\ntypes.a();\n${CUBE}`],
  ['a key that a spread may replace', `const types = { a: 'x', ...{ a: () => 'count' } };\ntypes.a();\n${CUBE}`],
  ['a function under the name of a value outside', `const a = 'x';\nconst run = (a) => a();\nrun(() => 1);\n${CUBE}`],
  ['a method of a text', `const name = 'a'.trim().toUpperCase();\n${CUBE}`],
  ['a getter that yields a function', `const types = { get a() { return () => 'count'; } };\ntypes.a();\n${CUBE}`],
  ['a class with a static method', `class A { static a() { return 1; } }\nA.a();\n${CUBE}`],
  ['a function with keys of its own', `const run = Object.assign(() => 1, { a: 'x' });\nrun();\n${CUBE}`],
  ['a function in a list', `const all = [() => 1];\nall[0]();\n${CUBE}`],
  ['a function that one of two values may be', `const run = COMPILE_CONTEXT.x ? 'a' : () => 1;\nrun();\n${CUBE}`],
  [
    'a value for unknown items',
    `const run = 'a';\nObject.keys(COMPILE_CONTEXT.none || {}).forEach(() => run());\n${CUBE}`,
  ],
];

describe('the call of a value that is not a function', () => {
  // @shows errors-of-the-engine
  it.each(REFUSED)('is an error, as for the engine: %s', async (_, text) => {
    expect(await verdict(script(text))).toEqual({ engine: true, ours: true });
  });

  it.each(ACCEPTED)('is accepted where the engine accepts it: %s', async (_, text) => {
    expect(await verdict(script(text))).toEqual({ engine: false, ours: false });
  });

  it('is reported once, at the code that is called', () => {
    const text = js`
      const types = { a: 'count' };
      for (const each of [1, 2]) types.a(each);
    `;
    const calls = parseFile('m.js', text).chunks.flatMap(({ chunk }) => chunk.mistakenCalls);
    expect(calls.map(({ start, end }) => text.slice(start, end))).toEqual(['types.a']);
  });
});
