import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logLine } from '#base/log-line.ts';

describe('an entry of the log', () => {
  it.each([
    ['Pushed 3 files path=model/größe.yml', 'Pushed 3 files path=model/größe.yml'],
    ['a\n2026-11-29 [error] FORGED', 'a\n    2026-11-29 [error] FORGED'],
    ['a\r\nb\rc\u2028d\u0085e', 'a\n    b\n    c\n    d\n    e'],
    ['\u001B[2J\u009B1A\u0007\u202Egnp', '\uFFFD[2J\uFFFD1A\uFFFD\uFFFDgnp'],
  ])('of %j', (text, expected) => {
    expect(logLine(text)).toBe(expected);
  });

  it('has no character that acts on a terminal, and no line that passes for another entry', () => {
    const piece = fc.constantFrom('a', ' ', '\t', '\n', '\r', '\u001B[A', '\u0000', '\u009B', '\u2066', '\u2029');
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'binary' }))), (pieces) => {
        const line = logLine(pieces.join(''));
        expect(line).not.toMatch(/[[\p{Cc}\p{Bidi_Control}]--[\t\n]]/v);
        expect(
          line
            .split('\n')
            .slice(1)
            .filter((further) => !further.startsWith('    ')),
        ).toEqual([]);
      }),
    );
  });
});
