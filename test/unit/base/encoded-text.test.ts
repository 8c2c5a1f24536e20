import { describe, expect, it } from 'vitest';
import { decodedText } from '#base/decoded-text.ts';
import { encodedText } from '#base/encoded-text.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('encodedText', () => {
  it.each([
    ['a file without one', 'cubes: []\n'],
    ['a file that begins with one', '\uFEFFcubes: []\n'],
    ['an empty file', ''],
  ])('keeps the byte order mark: %s is written as it was read', (_, content) => {
    const before = bytes(content);
    expect(encodedText(decodedText(before), before)).toEqual(before);
  });

  it('adds the mark of the file to another text', () => {
    expect(encodedText('views: []\n', bytes('\uFEFF'))).toEqual(bytes('\uFEFFviews: []\n'));
  });
});
