import { describe, expect, it } from 'vitest';
import { longTextHash, textHash } from '#base/text-hash.ts';

// The values are those that the authors of FNV publish for 32 and 64 bits.
describe('the hash of a text', () => {
  it.each([
    ['', 0x81_1c_9d_c5],
    ['a', 0xe4_0c_29_2c],
    ['foobar', 0xbf_9c_f9_68],
  ])('of “%s” has the published 32 bits', (text, hash) => {
    expect(textHash(text)).toBe(hash);
  });

  it.each([
    ['', 'cbf29ce484222325'],
    ['a', 'af63dc4c8601ec8c'],
    ['foobar', '85944171f73967e8'],
  ])('of “%s” has the published 64 bits where it names something on disk', (text, hash) => {
    expect(longTextHash(text)).toBe(hash);
  });
});
