import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTypo, nearestName } from '#model/suggest.ts';

/** The distance by its definition, without limits and shared rows. */
function distance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, j) => (i === 0 ? j : i)),
  );
  const at = (i: number, j: number): number => table[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Infinity;
      (table[i] ?? [])[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, swapped);
    }
  return at(a.length, b.length);
}

/** The first of the nearest candidates that share half of the word and differ by a third, as a loop over all of them. */
function nearest(word: string, candidates: readonly string[]): string | undefined {
  const rated = candidates
    .map((name) => ({ name, far: distance(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, far }) => 2 * far <= Math.max(word.length, name.length));
  const least = Math.min(...rated.map(({ far }) => far));
  if (least > Math.max(1, Math.floor(word.length / 3))) return undefined;
  const best = rated.find(({ far }) => far === least)?.name;
  return best === word ? undefined : best;
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'c', '_', 'ä'), maxLength: 9 });

describe('the nearest name', () => {
  it('is the first with the fewest edits, in words of every length', () => {
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 8 }), (given, candidates) => {
        expect(nearestName(given, candidates)).toBe(nearest(given, candidates));
      }),
    );
  });

  it.each([
    ['revenu', 'revenue'],
    ['rveenue', 'revenue'],
    [`${'long_'.repeat(40)}nmae`, `${'long_'.repeat(40)}name`],
    ['ab', 'ba'],
    ['', undefined],
    ['x', undefined],
    ['b', 'ba'],
    ['completely_other', undefined],
  ])('of %j is %j', (given, expected) => {
    const names = ['revenue', 'count', 'ba', `${'long_'.repeat(40)}name`];
    expect(nearestName(given, names)).toBe(expected);
  });

  it('is a slip only where no other name is as near', () => {
    expect(isTypo('coutn', 'count', ['count', 'total'])).toBe(true);
    expect(isTypo('coutn', 'count', ['count', 'couta'])).toBe(false);
  });
});
