import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines } from '#features/review/diff-lines.ts';

const numbered = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at}\n`).join('');

describe('the lines of a difference', () => {
  it('are those that differ with three around them, and how many are left out', () => {
    const lines = diffLines(numbered(20), numbered(20).replace('line 10\n', 'other\n'))?.lines ?? [];
    expect(lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'skipped 7 unchanged lines',
      'same line 7',
      'same line 8',
      'same line 9',
      'removed line 10',
      'added other',
      'same line 11',
      'same line 12',
      'same line 13',
    ]);
  });

  it('of a new and of a deleted file are all of its lines', () => {
    expect(diffLines('', 'a\nb\n')?.lines).toEqual([
      { kind: 'added', text: 'a' },
      { kind: 'added', text: 'b' },
    ]);
    expect(diffLines('a', '')?.lines).toEqual([{ kind: 'removed', text: 'a' }]);
  });

  it('are cut where there are too many', () => {
    expect(diffLines('', numbered(2500))).toMatchObject({ more: 500, lines: { length: 2000 } });
    // However long a new or deleted file is.
    expect(diffLines(numbered(200_000), '')).toMatchObject({ more: 198_000, lines: { length: 2000 } });
  });

  it('are short even where the whole file is one line', () => {
    const line = `[${'1,'.repeat(2_000_000)}0]`;
    const { lines = [] } = diffLines(line, `${line}\n`) ?? {};
    expect(lines.map(({ kind, text }) => [kind, text.length])).toEqual([
      ['removed', 2028],
      ['added', 2028],
    ]);
    expect(lines[0]?.text).toMatch(/1,1,1 … [\d,]+ more characters$/);
  });

  it('give both texts back where nothing is left out', () => {
    // No change has more than three equal lines before, between or after it.
    const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n'), { maxLength: 3 }).map((lines) => lines.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after);
        const lines = diffLines(before, after)?.lines ?? [];
        const side = (kind: 'added' | 'removed'): string =>
          lines.flatMap((line) => (line.kind === 'same' || line.kind === kind ? `${line.text}\n` : [])).join('');
        expect([side('removed'), side('added')]).toEqual([before, after]);
      }),
    );
  });
});
