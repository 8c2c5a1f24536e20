import fc from 'fast-check';
import { expect, it } from 'vitest';
import { capitalized, formatBytes, grouped, plural, titleCase } from '#base/words.ts';

it('counts in words', () => {
  expect([0, 1, 2].map((count) => plural(count, 'file'))).toEqual(['0 files', '1 file', '2 files']);
});

it('groups the digits of every number as English does', () => {
  expect([999, 1000, 1_234_567, -1000, -0, 1234.5].map(grouped)).toEqual([
    ...['999', '1,000', '1,234,567', '-1,000', '-0', '1,234.5'],
  ]);
  const numbers = fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.double());
  fc.assert(
    fc.property(numbers, (number) => {
      expect(grouped(number)).toBe(number.toLocaleString('en'));
    }),
  );
});

it('gives a text a large first letter', () => {
  expect(['user attributes', 'Ä', ''].map((text) => capitalized(text))).toEqual(['User attributes', 'Ä', '']);
});

it('writes a heading with large first letters', () => {
  expect(['user attributes', 'Your OAuth tokens', ''].map((text) => titleCase(text))).toEqual([
    'User Attributes',
    'Your OAuth Tokens',
    '',
  ]);
});

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KB'],
  [1024 * 1024 - 1, '1024.0 KB'],
  [1024 * 1024, '1.0 MB'],
])('writes %i bytes as %s', (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});
