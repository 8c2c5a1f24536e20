import { describe, expect, it } from 'vitest';
import { isText } from '#base/is-text.ts';

describe('isText', () => {
  it.each([
    ['nothing', undefined, false],
    ['an empty file', [], true],
    ['UTF-8', [0xc3, 0xa9, 0x0a], true],
    ['UTF-8 with a byte order mark', [0xef, 0xbb, 0xbf, 0x61], true],
    ['Latin-1', [0xe9, 0x0a], false],
    ['UTF-16', [0xff, 0xfe, 0x61, 0x00], false],
    ['a character that was cut off', [0x61, 0xc3], false],
    ['a lone surrogate', [0xed, 0xa0, 0x80], false],
    ['NUL', [0x61, 0x00], false],
  ])('of %s', (_what, bytes, expected) => {
    expect(isText(bytes && Uint8Array.from(bytes))).toBe(expected);
  });
});
