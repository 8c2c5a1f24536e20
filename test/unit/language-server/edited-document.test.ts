import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { EditedDocument } from '#language-server/documents/edited-document.ts';

const LONG = 'a line of some length that is typed into\n'.repeat(400);
const piece = fc.constantFrom(
  '',
  'a',
  'bc',
  '\n',
  '\r\n',
  '\r',
  '\n\n',
  'one\ntwo\r\nthree',
  'é',
  '😀',
  '\t',
  'x'.repeat(3_000),
);
const whole = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc.array(piece, { maxLength: 4 }).map((pieces) => LONG + pieces.join('') + LONG),
);
const place = fc.record({ line: fc.nat(900), character: fc.nat(60) });
const change = fc.oneof(
  { weight: 8, arbitrary: fc.record({ range: fc.record({ start: place, end: place }), text: piece }) },
  {
    weight: 8,
    arbitrary: fc.record({
      range: place.map((start) => ({ start, end: { line: start.line, character: start.character + 1 } })),
      text: piece,
    }),
  },
  { weight: 1, arbitrary: fc.record({ text: whole }) },
);

describe('an edited document', () => {
  it('has the text and the positions of the library’s own after any changes', () => {
    fc.assert(
      fc.property(whole, fc.array(change, { maxLength: 8 }), fc.array(fc.nat(20_000)), (text, changes, offsets) => {
        const own = new EditedDocument('file:///a.yml', 'yaml', 1, text);
        let other = TextDocument.create('file:///a.yml', 'yaml', 1, text);
        for (const [at, each] of changes.entries()) {
          own.update([each], at + 2);
          other = TextDocument.create(
            'file:///a.yml',
            'yaml',
            at + 2,
            TextDocument.update(other, [each], at + 2).getText(),
          );
          expect([own.version, own.lineCount]).toEqual([other.version, other.lineCount]);
          for (const offset of offsets) {
            const position = other.positionAt(offset);
            expect(own.positionAt(offset)).toEqual(position);
            expect(own.offsetAt(position)).toBe(other.offsetAt(position));
            const past = { line: position.line, character: position.character + (offset % 7) };
            expect(own.offsetAt(past)).toBe(other.offsetAt(past));
            expect(own.slice(offset, offset + 500)).toBe(other.getText().slice(offset, offset + 500));
          }
          expect(own.getText()).toBe(other.getText());
        }
      }),
      { numRuns: 300 },
    );
  });

  it('knows the text around the last edit, and none before the first', () => {
    const document = new EditedDocument('file:///a.yml', 'yaml', 1, LONG);
    expect(document.excerpt).toBeUndefined();
    const at = { line: 200, character: 3 };
    document.update([{ range: { start: at, end: at }, text: 'typed' }], 2);
    const { start, text } = document.excerpt ?? { start: 0, text: '' };
    expect(text).toContain('typed');
    expect(text.length).toBeLessThan(3_000);
    expect(document.getText().startsWith(text, start)).toBe(true);
  });
});
