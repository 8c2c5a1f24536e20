import { describe, expect, it } from 'vitest';
import { rememberExpressions } from '#language-server/engine/realm/remember-expressions.ts';

/** A compiler that counts what it parses; it refuses texts with a question mark. */
function compilerThat() {
  const parsed: unknown[] = [];
  class Compiler {
    parsePythonAndTranspileToJs(code: unknown, reporter: { error(message: unknown): unknown }): object {
      parsed.push(code);
      if (String(code).includes('?')) reporter.error(`refused ${String(code)}`);
      return { type: 'call', value: code, parts: [{ name: code, none: null }] };
    }
  }
  rememberExpressions(Compiler);
  const errors: unknown[] = [];
  const reporter = { error: (message: unknown) => errors.push(message) };
  const compiler = new Compiler();
  return { parse: (code: unknown) => compiler.parsePythonAndTranspileToJs(code, reporter), parsed, errors };
}

describe('what the engine made of expressions', () => {
  it('is made once, and is the same each time, whatever the engine does to it', () => {
    const { parse, parsed } = compilerThat();
    const first = parse('{CUBE}.id') as { value: string; parts: unknown[] };
    const expected = structuredClone(first);
    first.value = 'changed';
    first.parts.push('changed');
    const second = parse('{CUBE}.id') as { parts: { name: string }[] };
    expect(second).toEqual(expected);
    for (const part of second.parts) part.name = 'changed';
    expect(parse('{CUBE}.id')).toEqual(expected);
    expect(parsed).toEqual(['{CUBE}.id']);
  });

  it('is parsed again where it was refused, so that the error is reported each time', () => {
    const { parse, parsed, errors } = compilerThat();
    expect([parse('a?'), parse('a?')].length).toBe(2);
    expect(parsed).toEqual(['a?', 'a?']);
    expect(errors).toEqual(['refused a?', 'refused a?']);
  });

  it('is not remembered for a value that is not a text, or for a very long text', () => {
    const { parse, parsed } = compilerThat();
    const long = 'x'.repeat(2001);
    for (const code of [5, 5, undefined, undefined, long, long]) expect(parse(code)).toMatchObject({ value: code });
    expect(parsed).toHaveLength(6);
  });

  it('needs a limited amount of memory', () => {
    const { parse, parsed } = compilerThat();
    for (let at = 0; at < 10_001; at++) parse(`e${at}`);
    parse('e0');
    expect(parsed).toHaveLength(10_002);
    parse('e10000');
    expect(parsed).toHaveLength(10_002);
  });
});
