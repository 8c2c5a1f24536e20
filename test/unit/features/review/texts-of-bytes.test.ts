import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodedText } from '#base/decoded-text.ts';
import { textsOfBytes } from '#features/review/texts-of-bytes.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const latin1 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13);

describe('the texts of a file in a review', () => {
  it('are those of its UTF-8', () => {
    expect(textsOfBytes(utf8('a: é\n'), utf8('a: è\n'))).toEqual({ before: 'a: é\n', after: 'a: è\n' });
    expect(textsOfBytes(undefined, utf8(''))).toEqual({ before: undefined, after: '' });
    expect(textsOfBytes(utf8('\uFEFFa'), undefined)).toEqual({ before: 'a', after: undefined });
  });

  it('are none where one side is an image, or text in another encoding', () => {
    const none = { before: undefined, after: undefined };
    expect(textsOfBytes(utf8('a'), png)).toEqual({
      ...none,
      note: 'This file is not UTF-8 text, so its difference is not shown (1 B → 12 B).',
    });
    expect(textsOfBytes(undefined, png).note).toContain('(12 B)');
    expect(textsOfBytes(latin1('a: é\n'), latin1('a: è\n'))).toMatchObject(none);
    expect(textsOfBytes(latin1('a: é\n'), latin1('a: é\n')).note).toBe('The content is the same.');
    expect(textsOfBytes(Buffer.from('a: b\n', 'utf16le'), utf8('a: b\n'))).toMatchObject(none);
  });

  it('name a difference that no line shows', () => {
    expect(textsOfBytes(utf8('\uFEFFa\n'), utf8('a\n')).note).toBe('Only the byte order mark differs.');
    expect(textsOfBytes(utf8('\uFEFFa\n'), utf8('\uFEFFa\n')).note).toBeUndefined();
  });

  it('never look the same where the bytes differ, unless the note names the difference', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 8 }),
      fc.string({ unit: 'binary', maxLength: 8 }).map(utf8),
      fc.constant(utf8('\uFEFFa')),
    );
    fc.assert(
      fc.property(bytes, bytes, (before, after) => {
        const { before: one, after: other, note = '' } = textsOfBytes(before, after);
        const isSame = Buffer.compare(before, after) === 0;
        const looksSame = one === other && (note === '' || note === 'The content is the same.');
        expect(looksSame).toBe(isSame);
        const shown = [decodedText(before), decodedText(after)];
        expect([[undefined, undefined], shown]).toContainEqual([one, other]);
      }),
    );
  });
});
