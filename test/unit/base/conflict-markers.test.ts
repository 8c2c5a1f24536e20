import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasMarkers, markerSize, withMarkers } from '#base/conflict-markers.ts';
import { linesOf, mergeLines, mergeThreeWay, type ThreeWayRegion } from '#base/merge-lines.ts';
import { type MergeRegion, mergeTwoWay } from '#base/two-way-merge.ts';

const labels = { mine: 'Local', theirs: 'dev-ada-1' };
const line = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '', '<<<<<<< Local', '=======', '>>>>>>> dev-ada-1', '<<<<<<<<<< x', '\u2028======='),
  fc.string({ maxLength: 5 }).map((text) => text.replaceAll(/[\r\n]/g, '.')),
);
/** A text whose lines all end alike, with and without an ending of the last one. */
const version = (ending: string): fc.Arbitrary<string> =>
  fc.tuple(fc.array(line, { maxLength: 8 }), line).map(([lines, last]) => [...lines, last].join(ending));
const versions = fc
  .constantFrom('\n', '\r\n')
  .chain((ending) => fc.tuple(version(ending), version(ending), version(ending), version(ending)))
  .map(([base, mine, theirs, common]) => [base + common, mine + common, theirs + common] as const);

const marked = (regions: readonly (ThreeWayRegion | MergeRegion)[], ...texts: readonly string[]): [string, number] => {
  const size = markerSize(...texts);
  return [withMarkers(regions, size, labels), size];
};

/** Chooses one side between all markers, as a user does who keeps one version. */
function chosen(text: string, size: number, side: 'mine' | 'theirs'): string {
  let at: 'both' | 'mine' | 'theirs' = 'both';
  let kept = '';
  for (const each of linesOf(text)) {
    if (each.startsWith(`${'<'.repeat(size)} `)) at = 'mine';
    else if (/^=+\r?\n$/.test(each) && each.trimEnd().length === size) at = 'theirs';
    else if (each.startsWith(`${'>'.repeat(size)} `)) at = 'both';
    else if (at === 'both' || at === side) kept += each;
  }
  return kept;
}

const ended = (text: string): string => text.replace(/\r?\n$/, '');

describe('a text with conflict markers', () => {
  it('looks as Git writes it', () => {
    const text = (...args: [string, string, string]): string => withMarkers(mergeThreeWay(...args), 7, labels);
    expect(text('a\nb\nc\n', 'a\nmine\nc\n', 'a\ntheirs\nc\nd')).toBe(
      'a\n<<<<<<< Local\nmine\n=======\ntheirs\n>>>>>>> dev-ada-1\nc\nd',
    );
    expect(text('', 'mine', 'theirs')).toBe('<<<<<<< Local\nmine\n=======\ntheirs\n>>>>>>> dev-ada-1\n');
    expect(text('a\r\n', 'mine\r\n', 'theirs\r\n')).toBe(
      '<<<<<<< Local\r\nmine\r\n=======\r\ntheirs\r\n>>>>>>> dev-ada-1\r\n',
    );
  });

  it('has longer markers than lines of the versions', () => {
    expect(markerSize('a', '<<<<<<< x\n')).toBe(8);
    expect(markerSize('==========\n', 'a')).toBe(11);
    expect(markerSize('a\n', ' <<<<<<< x\n')).toBe(7);
  });

  it('gives each version back where all of its places are chosen', () => {
    fc.assert(
      fc.property(versions, ([, mine, theirs]) => {
        const regions = mergeTwoWay(mine, theirs);
        const [text, size] = marked(regions, mine, theirs);
        expect(ended(chosen(text, size, 'mine'))).toBe(ended(mine));
        expect(ended(chosen(text, size, 'theirs'))).toBe(ended(theirs));
        expect(hasMarkers(text, size)).toBe(regions.some(({ kind }) => kind === 'conflict'));
      }),
    );
  });

  it('loses no line that a side added or changed', () => {
    fc.assert(
      fc.property(versions, ([base, mine, theirs]) => {
        const regions = mergeThreeWay(base, mine, theirs);
        const [text, size] = marked(regions, base, mine, theirs);
        const known = new Set([text, base].flatMap(linesOf).map(ended));
        const lost = [mine, theirs].flatMap(linesOf).filter((each) => !known.has(ended(each)));
        expect(lost).toEqual([]);
        expect(ended(chosen(text, size, 'mine'))).toBe(ended(mergeLines(base, mine, theirs, 'mine').text));
        expect(hasMarkers(text, size)).toBe(mergeLines(base, mine, theirs).conflicts > 0);
      }),
    );
  });
});
