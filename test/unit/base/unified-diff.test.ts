import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineChanges } from '#base/merge-lines.ts';
import { applyUnifiedDiff, isUnifiedDiff, pathOfDiff } from '#base/unified-diff.ts';

const text = 'a\nb\nc\nd\ne\n';

describe('applyUnifiedDiff', () => {
  it.each([
    ['a replaced line', '@@ -2,2 +2,2 @@\n b\n-c\n+X', 'a\nb\nX\nd\ne\n', ['c']],
    ['an added line', '@@\n b\n+X\n c', 'a\nb\nX\nc\nd\ne\n', []],
    ['two hunks', '@@\n-a\n+A\n@@\n-e\n+E', 'A\nb\nc\nd\nE\n', ['a', 'e']],
    ['a search and its replacement', '<<<<<<< SEARCH\nb\nc\n=======\nX\n>>>>>>> REPLACE', 'a\nX\nd\ne\n', ['b', 'c']],
  ])('applies %s', (_what, diff, expected, removed) => {
    expect(isUnifiedDiff(diff)).toBe(true);
    expect(applyUnifiedDiff(text, diff)).toEqual({ text: expected, removed });
  });

  it.each([
    ['is not in the text', '@@\n-x\n+y'],
    ['stands before the hunk above', '@@\n-e\n+E\n@@\n-a\n+A'],
    ['has no line to be found by', '@@\n+y'],
  ])('refuses a patch with a hunk that %s', (_what, diff) => {
    expect(applyUnifiedDiff(text, diff)).toBeUndefined();
  });

  it('refuses a hunk that fits in two positions', () => {
    expect(applyUnifiedDiff('a\nb\na\n', '@@\n-a\n+X')).toBeUndefined();
  });

  it('makes of a text with different lines whatever a patch says', () => {
    const lines = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}$/), { minLength: 2, maxLength: 9 });
    fc.assert(
      fc.property(lines, lines, (one, other) => {
        const [before, after] = [one, other].map((all) => all.map((line) => `${line}\n`).join('')) as [string, string];
        const diff = ['@@', ...patchLines(one, before, after)].join('\n');
        if (before === after) return;
        expect(applyUnifiedDiff(before, diff)?.text).toBe(after);
      }),
    );
  });
});

describe('pathOfDiff', () => {
  it('names the new file', () => {
    expect(pathOfDiff('--- a/model/a.yml\n+++ b/model/a.yml\n@@')).toBe('model/a.yml');
    expect(pathOfDiff('--- a/model/a.yml\n+++ /dev/null\n@@')).toBeUndefined();
  });
});

/** One hunk with all lines of the text as context. */
function patchLines(lines: readonly string[], before: string, after: string): readonly string[] {
  const result: string[] = [];
  let from = 0;
  for (const { start, end, lines: added } of lineChanges(before, after)) {
    result.push(...lines.slice(from, start).map((line) => ` ${line}`));
    result.push(...lines.slice(start, end).map((line) => `-${line}`), ...added.map((line) => `+${line.trimEnd()}`));
    from = end;
  }
  return [...result, ...lines.slice(from).map((line) => ` ${line}`)];
}
