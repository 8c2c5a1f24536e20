import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeLines } from '#base/merge-lines.ts';
import { type MergeRegion, mergeTwoWay, standInBase } from '#base/two-way-merge.ts';

const ending = fc.constantFrom('\n', '\r\n');
const line = fc.oneof(
  fc.constantFrom('a', 'b', '', '  type: sum', '<<<<<<< Choose a version of these lines', '\r', '\u2028', '\uFEFF'),
  fc.string({ maxLength: 6 }),
);
/** Texts with mixed line endings, with and without one at the end. */
const version = fc
  .tuple(fc.array(fc.tuple(line, ending), { maxLength: 12 }), line)
  .map(([lines, last]) => lines.map((both) => both.join('')).join('') + last);
/** Two versions that have much in common. */
const pair = fc
  .tuple(version, version, version, version, version)
  .map(([top, mine, theirs, between, end]) => [top + mine + between + end, top + theirs + between + end] as const);
const numbered = (word: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join('');

/** One version in every region. */
const chosen = (regions: readonly MergeRegion[], side: 'mine' | 'theirs'): string =>
  regions.map((region) => (region.kind === 'common' ? region.text : region[side])).join('');

describe('mergeTwoWay', () => {
  it.each([
    ['equal texts', 'a\nb\n', 'a\nb\n', [{ kind: 'common', text: 'a\nb\n' }]],
    ['empty texts', '', '', []],
    ['an empty text and another', '', 'a\n', [{ kind: 'conflict', mine: '', theirs: 'a\n' }]],
    [
      'a line that differs between common lines',
      'a\nmine\nc\n',
      'a\ntheirs\nc\n',
      [
        { kind: 'common', text: 'a\n' },
        { kind: 'conflict', mine: 'mine\n', theirs: 'theirs\n' },
        { kind: 'common', text: 'c\n' },
      ],
    ],
    [
      'lines that only one version has',
      'a\nb\nc\n',
      'a\nc\nd\n',
      [
        { kind: 'common', text: 'a\n' },
        { kind: 'conflict', mine: 'b\n', theirs: '' },
        { kind: 'common', text: 'c\n' },
        { kind: 'conflict', mine: '', theirs: 'd\n' },
      ],
    ],
    [
      'other line endings around a line that differs, and none at the end',
      'a\r\nmine\r\nc',
      'a\ntheirs\nc\n',
      [
        { kind: 'lineEndings', mine: 'a\r\n', theirs: 'a\n' },
        { kind: 'conflict', mine: 'mine\r\n', theirs: 'theirs\n' },
        { kind: 'lineEndings', mine: 'c', theirs: 'c\n' },
      ],
    ],
  ])('splits %s', (_what, mine, theirs, regions) => {
    expect(mergeTwoWay(mine, theirs)).toEqual(regions);
  });

  it('gives each version back where it is chosen everywhere', () => {
    fc.assert(
      fc.property(fc.oneof(pair, fc.tuple(version, version)), ([mine, theirs]) => {
        const regions = mergeTwoWay(mine, theirs);
        expect([chosen(regions, 'mine'), chosen(regions, 'theirs')]).toEqual([mine, theirs]);
      }),
    );
  });

  it('has no region without a difference, and no two of a kind beside each other', () => {
    fc.assert(
      fc.property(pair, ([mine, theirs]) => {
        const regions = mergeTwoWay(mine, theirs);
        expect(regions.filter((region) => region.kind !== 'common' && region.mine === region.theirs)).toEqual([]);
        const kinds = regions.map(({ kind }) => kind);
        expect(kinds.filter((kind, index) => kind === kinds[index - 1])).toEqual([]);
      }),
    );
  });

  it('has one conflict where a line is replaced, wherever that is in a text of different lines', () => {
    fc.assert(
      fc.property(fc.nat({ max: 40 }), fc.nat({ max: 40 }), (above, below) => {
        const [top, bottom] = [numbered('top', above), numbered('bottom', below)];
        const conflicts = mergeTwoWay(`${top}mine\n${bottom}`, `${top}theirs\n${bottom}`);
        expect(conflicts.filter(({ kind }) => kind !== 'common')).toEqual([
          { kind: 'conflict', mine: 'mine\n', theirs: 'theirs\n' },
        ]);
      }),
    );
  });

  it('finds the common lines of long texts with more differences than can be searched for', () => {
    const text = (word: string): string =>
      Array.from({ length: 3000 }, (_, index) => `- name: n${index}\n  sql: ${word} ${index}\n  type: sum\n`).join('');
    const regions = mergeTwoWay(text('mine'), text('theirs'));
    expect(regions.filter(({ kind }) => kind === 'conflict')).toHaveLength(3000);
    expect(regions.slice(0, 3)).toEqual([
      { kind: 'common', text: '- name: n0\n' },
      { kind: 'conflict', mine: '  sql: mine 0\n', theirs: '  sql: theirs 0\n' },
      { kind: 'common', text: '  type: sum\n- name: n1\n' },
    ]);
    const base = standInBase(text('mine'), text('theirs'));
    expect(mergeLines(base, text('mine'), text('theirs'))).toEqual({ text: base, conflicts: 3000 });
  });
});

describe('standInBase', () => {
  it('makes a merge in which each difference is an open conflict, marked so that it is not overlooked', () => {
    const [mine, theirs] = ['a\nmine\nc\nonly mine\ne\n', 'a\ntheirs\nc\ne\n'];
    const base = standInBase(mine, theirs);
    const marker = '<<<<<<< Choose a version of these lines\n';
    expect(base).toBe(`a\n${marker}c\n${marker}e\n`);
    expect(mergeLines(base, mine, theirs)).toEqual({ text: base, conflicts: 2 });
  });

  it('takes my line endings, and mine at the end', () => {
    expect(mergeLines(standInBase('a\nb', 'a\nb\n'), 'a\nb', 'a\nb\n')).toEqual({ text: 'a\nb', conflicts: 0 });
  });

  it('leaves every conflict open, whatever two versions with the same line endings are', () => {
    fc.assert(
      fc.property(pair, ([one, other]) => {
        // As the merge editor has them: its documents have one kind of line ending.
        const [mine, theirs] = [one.replaceAll('\r', ''), other.replaceAll('\r', '')];
        const open = mergeTwoWay(mine, theirs).filter(({ kind }) => kind === 'conflict').length;
        const base = standInBase(mine, theirs);
        const lines = mine.concat('\n', theirs).split('\n');
        const markers = (text: string): number =>
          text.split('\n').filter((found) => found !== '' && !lines.includes(found)).length;
        const merged = mergeLines(base, mine, theirs);
        expect([merged.conflicts > 0, markers(base), markers(merged.text)]).toEqual([open > 0, open, open]);
      }),
    );
  });
});
