import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commonLines, lineChanges, mergeLines, withLineChanges } from '#base/merge-lines.ts';

const text = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const version = fc.array(fc.constantFrom('a', 'b', 'c', '', '  - name: x'), { maxLength: 14 });

describe('mergeLines', () => {
  it.each([
    ['nothing changed', 'a b c', 'a b c', 'a b c', 'a b c', 0],
    ['only mine', 'a b c', 'a X c', 'a b c', 'a X c', 0],
    ['only theirs', 'a b c', 'a b c', 'a b', 'a b', 0],
    ['both, far apart', 'a b c d e', 'X b c d e', 'a b c d Y', 'X b c d Y', 0],
    ['both the same', 'a b c', 'a X c', 'a X c', 'a X c', 0],
    ['both another line', 'a b c', 'a X c', 'a Y c', 'a b c', 1],
    ['both an insertion at one place', 'a b', 'a X b', 'a Y b', 'a b', 1],
    ['mine deletes what they changed', 'a b c', 'a c', 'a Y c', 'a b c', 1],
    ['one conflict and one change of theirs', 'a b c d e', 'X b c d e', 'Y b c Z e', 'a b c Z e', 1],
    ['both added a file', '', 'a', 'b', '', 1],
  ])('%s', (_what, base, mine, theirs, expected, conflicts) => {
    const lines = (words: string): string => (words === '' ? '' : text(...words.split(' ')));
    expect(mergeLines(lines(base), lines(mine), lines(theirs))).toEqual({ text: lines(expected), conflicts });
  });

  it('sees an addition that both sides made as one, whatever lines it shares with its neighbours', () => {
    const item = (name: string): string => text(`- name: ${name}`, `  sql: ${name}`, '  type: sum');
    const base = item('one') + item('two');
    const mine = base + item('three');
    const theirs = item('zero') + base + item('three');
    expect(mergeLines(base, mine, theirs)).toEqual({ text: theirs, conflicts: 0 });
    expect(mergeLines(theirs, base, item('zero') + base)).toEqual({ text: base, conflicts: 0 });
  });

  it('leaves my lines where they conflict, if so asked', () => {
    expect(mergeLines('a\nb\nc\n', 'a\nX\nc\n', 'a\nY\nc\nd\n', 'mine')).toEqual({
      text: 'a\nX\nc\nd\n',
      conflicts: 1,
    });
  });

  it('keeps a missing line end at the end, and other line ends', () => {
    expect(mergeLines('a\nb', 'a\nb', 'a\nc').text).toBe('a\nc');
    expect(mergeLines('a\r\nb\r\n', 'a\r\nb\r\nc\r\n', 'x\r\nb\r\n').text).toBe('x\r\nb\r\nc\r\n');
  });

  it('returns one side where the other did nothing, or the same', () => {
    fc.assert(
      fc.property(version, version, (one, other) => {
        const [base, changed] = [text(...one), text(...other)];
        expect(mergeLines(base, changed, base)).toEqual({ text: changed, conflicts: 0 });
        expect(mergeLines(base, base, changed)).toEqual({ text: changed, conflicts: 0 });
        expect(mergeLines(base, changed, changed)).toEqual({ text: changed, conflicts: 0 });
      }),
    );
  });

  it('does not care who is who', () => {
    fc.assert(
      fc.property(version, version, version, (one, mine, theirs) => {
        const [base, here, there] = [text(...one), text(...mine), text(...theirs)];
        expect(mergeLines(base, here, there)).toEqual(mergeLines(base, there, here));
      }),
    );
  });

  it('takes both sides’ changes of two halves that a line separates', () => {
    fc.assert(
      fc.property(version, version, version, version, (top, newTop, bottom, newBottom) => {
        const join = (above: readonly string[], below: readonly string[]): string => text(...above, 'MIDDLE', ...below);
        const merged = mergeLines(join(top, bottom), join(newTop, bottom), join(top, newBottom));
        expect(merged).toEqual({ text: join(newTop, newBottom), conflicts: 0 });
      }),
    );
  });

  it('takes what differs in too many lines as one change', () => {
    const long = (word: string): string => text(...Array.from({ length: 1000 }, (_, line) => `${word} ${line}`));
    expect(mergeLines(long('base'), long('mine'), long('theirs'))).toEqual({ text: long('base'), conflicts: 1 });
  });
});

describe('commonLines', () => {
  it('make a base with which a merge drops no line of one side, and asks where both have another', () => {
    const [mine, theirs] = [text('a', 'mine', 'b', 'new', 'c'), text('a', 'theirs', 'b', 'c', 'other')];
    const base = commonLines(mine, theirs);
    expect(base).toBe(text('a', 'b', 'c'));
    expect(mergeLines(base, mine, theirs)).toEqual({ text: text('a', 'b', 'new', 'c', 'other'), conflicts: 1 });
  });

  it('occur in both, whatever the two are', () => {
    fc.assert(
      fc.property(version, version, (one, two) => {
        const common = commonLines(text(...one), text(...two)).match(/[^\n]*\n/g) ?? [];
        const isWithin = (lines: readonly string[]): boolean => {
          let at = 0;
          for (const line of lines) if (`${line}\n` === common[at]) at += 1;
          return at === common.length;
        };
        expect([isWithin(one), isWithin(two)]).toEqual([true, true]);
      }),
    );
  });
});

describe('lineChanges', () => {
  it('turns the one text into the other, all of it or some', () => {
    fc.assert(
      fc.property(version, version, (one, other) => {
        const [before, after] = [text(...one), text(...other)];
        const changes = lineChanges(before, after);
        expect(withLineChanges(before, changes)).toBe(after);
        expect(withLineChanges(before, [])).toBe(before);
      }),
    );
  });

  it('names the lines that go and the lines that come', () => {
    expect(lineChanges('a\nb\nc\n', 'a\nX\nc\nd\n')).toEqual([
      { start: 1, end: 2, lines: ['X\n'] },
      { start: 3, end: 3, lines: ['d\n'] },
    ]);
  });
});
