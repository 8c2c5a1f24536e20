import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RecentText, textFrom, withMore } from '#chat-core/recent-text.ts';

/** The recent end after each piece was appended. */
function appended(pieces: readonly string[]): { readonly text: string; readonly recent: RecentText | undefined } {
  let text = '';
  let recent: RecentText | undefined;
  for (const piece of pieces) {
    recent = withMore(recent, text, piece);
    text += piece;
  }
  return { text, recent };
}

describe('the recent end of a text', () => {
  it('gives the text from any position on', () => {
    const pieces = fc.array(fc.string({ maxLength: 4 }), { maxLength: 60 });
    fc.assert(
      fc.property(pieces, fc.nat(250), (all, from) => {
        const { text, recent } = appended(all);
        expect(textFrom(text, from, recent)).toBe(text.slice(from));
      }),
    );
  });

  it.each([
    ['many small pieces', Array.from({ length: 2_500 }, (_, at) => String(at % 10))],
    ['few large pieces', Array.from({ length: 9 }, (_, at) => String(at).repeat(20_000))],
  ])('gives it after %s', (_, pieces) => {
    const { text, recent } = appended(pieces);
    for (const back of [0, 1, 7, 1_500, text.length - 1, text.length])
      expect(textFrom(text, text.length - back, recent)).toBe(text.slice(text.length - back));
  });

  it('reads each piece of a long answer about once, and never the whole text', () => {
    const events = 50_000;
    const word = 'words, ';
    let visited = 0;
    let copies = 0;
    // Counts instead of copying.
    const counting = (length: number): string => ({ length, slice: () => ((copies += 1), '') }) as unknown as string;
    let recent: RecentText | undefined;
    let read = 0;
    for (let at = 0; at < events; at++) {
      const now = withMore(recent, counting(at * word.length), word);
      const counted = now && {
        ...now.last,
        get before() {
          visited += 1;
          return now.last.before;
        },
      };
      recent = now && counted && { ...now, last: counted };
      if (at % 6 !== 0) continue;
      const length = (at + 1) * word.length;
      expect(textFrom(counting(length), read, recent)).toHaveLength(length - read);
      read = length;
    }
    expect(copies).toBe(0);
    expect(visited).toBeLessThanOrEqual(events);
  });
});
