import { describe, expect, it } from 'vitest';
import { highlighted } from '#features/chat/page/markdown/highlight.tsx';

describe('highlighted', () => {
  it('colours the parts of known code', () => {
    expect(highlighted('SELECT 1', 'SQL')).toMatchObject([
      { type: 'span', props: { class: 'hl-keyword' } },
      ' ',
      { type: 'span', props: { class: 'hl-number' } },
    ]);
  });

  it.each([
    ['a word without an end', 'a'.repeat(40_000)],
    ['a gap without an end', `a${'\n'.repeat(40_000)}b`],
    ['code beyond the limit', 'SELECT 1;\n'.repeat(6000)],
  ])('does not colour %s', (_name, code) => {
    expect(highlighted(code, 'javascript')).toBe(code);
  });
});
