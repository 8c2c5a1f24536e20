import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visible, visibleName } from '#shared/page/visible.ts';

describe('a name on a page', () => {
  it.each([
    ['gnp.yml\u202elmy', 'gnp.yml⟨U+202E⟩lmy'],
    ['a\nb.yml', 'a⟨U+A⟩b.yml'],
    ['a\tb\r.yml', 'a⟨U+9⟩b⟨U+D⟩.yml'],
    ['\u001b[31mred.yml', '⟨U+1B⟩[31mred.yml'],
    ['a\u0000b\u007f\u0085.yml', 'a⟨U+0⟩b⟨U+7F⟩⟨U+85⟩.yml'],
    ['\u2066main\u2069.yml', '⟨U+2066⟩main⟨U+2069⟩.yml'],
    ['größe – 注文.yml', 'größe – 注文.yml'],
  ])('%j reads as it is', (name, shown) => {
    expect(visibleName(name)).toBe(shown);
  });

  it('has no control character, and two names never read the same', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', '\n', '\r', '\t', '\u202e', '\u0000', '\u0007', '\u200b', 'é'),
    });
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(visibleName(one)).not.toMatch(/[\p{Cc}\u202e\u200b]/u);
        expect(visibleName(one) === visibleName(other)).toBe(one === other);
      }),
    );
  });
});

describe('a text on a page', () => {
  it('keeps its lines', () => {
    expect(visible('a\r\n\tb\u0008')).toBe('a\r\n\tb⟨U+8⟩');
  });
});
