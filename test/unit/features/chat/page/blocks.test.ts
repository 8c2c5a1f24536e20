import fc from 'fast-check';
import { Lexer, type Token } from 'marked';
import { describe, expect, it } from 'vitest';
import { BlockLexer } from '#features/chat/page/markdown/blocks.ts';
import { prose } from '#support/language/raw.ts';

const tokensOf = (text: string): Token[] => new Lexer({ gfm: true }).lex(text).filter(({ type }) => type !== 'space');

/** Blocks as they come in answers, one after each other; each ends as a writer ends it. */
const blocks = prose`
  A paragraph with **bold**, \`code\` and [a link](https://example.com).
  %%
  Two lines
  of one paragraph.
  %%
  # Heading
  %%
  Underlined
  ===
  %%
  - one
  - two
    - deeper

  - loose
  %%
  1. first
  2. second
  %%
  \`\`\`sql
  SELECT 1

  FROM x
  \`\`\`
  %%
  | a | b |
  |---|--:|
  | 1 | 2 |
  %%
  > quoted
  > more
  %%
      indented code
  %%
  ---
  %%
  <div>html</div>
  %%
  Grüße, 世界 🎉
`
  .trimEnd()
  .split('\n%%\n')
  .map((block) => `${block}\n\n`);
const block = fc.constantFrom(...blocks, '~~~\nother fence\n~~~\n');
const document = fc.array(block, { maxLength: 8 }).map((written) => written.join(''));

describe('BlockLexer', () => {
  it('ends with the blocks of the whole text, however it grew', () => {
    fc.assert(
      fc.property(document, fc.array(fc.nat(), { maxLength: 30 }), (text, cuts) => {
        const lexer = new BlockLexer();
        for (const at of cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b)) {
          lexer.update(text.slice(0, at), false);
        }
        const lexed = lexer.update(text, true);
        expect(lexed.map(({ token }) => token.type)).toEqual(tokensOf(text).map(({ type }) => type));
        expect(lexed.map(({ token }) => token.raw.trim())).toEqual(tokensOf(text).map(({ raw }) => raw.trim()));
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
    const lexed = lexer.update('One.\r\n\r\nTwo.\r\n\r\nThree.', true);
    expect(lexed.map(({ token }) => token.raw.trim())).toEqual(['One.', 'Two.', 'Three.']);
  });

  it('keeps an enormous text as one block', () => {
    const lexer = new BlockLexer();
    expect(lexer.update('# x\n'.repeat(100_000), true)).toHaveLength(1);
    expect(lexer.update(`${'>'.repeat(20_000)} deep`, true)).toHaveLength(1);
  });
});
