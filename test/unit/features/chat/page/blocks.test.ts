import fc from 'fast-check';
import { Lexer, type Token } from 'marked';
import { describe, expect, it } from 'vitest';
import { BlockLexer } from '#features/chat/page/markdown/blocks.ts';

const tokensOf = (text: string): Token[] => new Lexer({ gfm: true }).lex(text).filter(({ type }) => type !== 'space');

/** Blocks as they come in answers; each ends as a writer ends it. */
const block = fc.constantFrom(
  'A paragraph with **bold**, `code` and [a link](https://example.com).\n\n',
  'Two lines\nof one paragraph.\n\n',
  '# Heading\n\n',
  'Underlined\n===\n\n',
  '- one\n- two\n  - deeper\n\n- loose\n\n',
  '1. first\n2. second\n\n',
  '```sql\nSELECT 1\n\nFROM x\n```\n\n',
  '~~~\nother fence\n~~~\n',
  '| a | b |\n|---|--:|\n| 1 | 2 |\n\n',
  '> quoted\n> more\n\n',
  '    indented code\n\n',
  '---\n\n',
  '<div>html</div>\n\n',
  'Grüße, 世界 🎉\n\n',
);
const document = fc.array(block, { maxLength: 8 }).map((blocks) => blocks.join(''));

describe('BlockLexer', () => {
  it('ends with the blocks of the whole text, however it grew', () => {
    fc.assert(
      fc.property(document, fc.array(fc.nat(), { maxLength: 30 }), (text, cuts) => {
        const lexer = new BlockLexer();
        for (const at of cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b)) {
          lexer.update(text.slice(0, at), false);
        }
        const blocks = lexer.update(text, true);
        expect(blocks.map(({ token }) => token.type)).toEqual(tokensOf(text).map(({ type }) => type));
        expect(blocks.map(({ token }) => token.raw.trim())).toEqual(tokensOf(text).map(({ raw }) => raw.trim()));
      }),
      { numRuns: 300 },
    );
  });

  // @shows chat-complaint-2
  it('keeps the identity of blocks that are done, so that they are not rendered again', () => {
    const lexer = new BlockLexer();
    const first = lexer.update('One.\n\nTwo.\n\nThr', false);
    const second = lexer.update('One.\n\nTwo.\n\nThree.\n\nFour', false);
    expect(second.slice(0, 2)).toEqual(first.slice(0, 2));
    expect(second[0]).toBe(first[0]);
    expect(second[1]?.token).toEqual(first[1]?.token);
    expect(lexer.update('One.\n\nTwo.\n\nThree.\n\nFour', false)).toBe(second);
  });

  it('continues a list whose next number comes before its dot', () => {
    const lexer = new BlockLexer();
    for (const text of ['1. one\n\n', '1. one\n\n2', '1. one\n\n2.']) lexer.update(text, false);
    expect(lexer.update('1. one\n\n2. two', true).map(({ token }) => token.type)).toEqual(['list']);
  });

  it('starts again when the text did not grow from the last one', () => {
    const lexer = new BlockLexer();
    lexer.update('One.\n\nTwo.\n\nThree.', false);
    expect(lexer.update('Healed.', false).map(({ token }) => token.raw)).toEqual(['Healed.']);
  });

  it('resolves links that are defined below their use once the text is complete', () => {
    const text = 'See [docs].\n\nMore.\n\n[docs]: https://example.com\n';
    const lexer = new BlockLexer();
    lexer.update(text.slice(0, 20), false);
    const [paragraph] = lexer.update(text, true);
    expect(JSON.stringify(paragraph?.token)).toContain('https://example.com');
  });

  it('reads CRLF, also cut in the middle', () => {
    const lexer = new BlockLexer();
    lexer.update('One.\r', false);
    lexer.update('One.\r\n\r\nTwo.\r', false);
    const blocks = lexer.update('One.\r\n\r\nTwo.\r\n\r\nThree.', true);
    expect(blocks.map(({ token }) => token.raw.trim())).toEqual(['One.', 'Two.', 'Three.']);
  });

  it('shows text beyond all measure as it is', () => {
    const lexer = new BlockLexer();
    expect(lexer.update('# x\n'.repeat(100_000), true)).toHaveLength(1);
    expect(lexer.update(`${'>'.repeat(20_000)} deep`, true)).toHaveLength(1);
  });
});
