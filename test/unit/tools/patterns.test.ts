import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { longestWait } from '../../tools/limits.ts';
import { endlessText, patternsIn } from '../../tools/patterns.ts';
import { root } from '../../tools/run.ts';

describe('the regular expressions of the product', () => {
  it('have no text that multiplies their steps with each character', () => {
    const patterns = globSync('src/**/*.{ts,tsx}', { cwd: root }).flatMap((path) =>
      patternsIn(path, readFileSync(join(root, path), 'utf8')).map((pattern) => ({ path, pattern })),
    );
    expect(patterns.length).toBeGreaterThan(1000);
    const endless = patterns.flatMap(({ path, pattern }) => {
      const text = endlessText(pattern, longestWait);
      return text === undefined ? [] : [{ path, pattern: pattern.source, text }];
    });
    expect(endless).toEqual([]);
  });
});

describe('the search for such texts', () => {
  it.each([
    [/^(?:[ \t]*-?[ \t]*\r?\n?)*$/, ' '],
    [/(["'])(?:\\.|(?!\1).)*\1/s, '\\'],
    [/^(?:\w+,?)+;$/, 'a'],
  ])('finds one of %s', (pattern, repeated) => {
    // The limit decides only how long the search takes: no machine ends with such a text.
    expect(endlessText(pattern, 100)).toContain(repeated.repeat(50));
  });

  it('reads patterns as they are written', () => {
    const source = String.raw`const a = /\/+$/g; f(b, /x[/]y/i) as string; const c = 'a / b / c';`;
    expect(patternsIn('a.ts', source)).toEqual([
      { source: String.raw`\/+$`, flags: 'g' },
      { source: 'x[/]y', flags: 'i' },
    ]);
  });
});
