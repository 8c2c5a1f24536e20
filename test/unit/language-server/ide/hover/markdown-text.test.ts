import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { codeBlock, escapeMarkdown } from '../../../../../src/language-server/ide/markdown-text.ts';

const markdown = new MarkdownIt({ html: true, linkify: true });

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('[x](command:run)', '![x](https://evil.example/i.png)', '<img src=x>', '<https://evil.example>'),
      fc.constantFrom('https://evil.example', 'www.evil.example', 'a@evil.example', '`', '```', '[', '](', '\\', '\n'),
      fc.string(),
    ),
  )
  .map((pieces) => pieces.join(' '));

describe('text of a model in a hover', () => {
  it('makes no link, image or HTML, whatever it holds', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(markdown.render(`**${escapeMarkdown('orders')}**\n\n${escapeMarkdown(text)}`)).not.toMatch(
          /<(?:a|img|code)\b/,
        );
      }),
    );
  });

  it('stays as it is where nothing needs to be escaped', () => {
    expect(escapeMarkdown('Orders of *this* year (net), by_month.')).toBe('Orders of *this* year (net), by_month.');
  });

  it('ends no block of code', () => {
    fc.assert(
      fc.property(hostile, (code) => {
        expect(markdown.render(codeBlock('sql', code).join('\n'))).not.toMatch(/<(?:a|img)\b/);
      }),
    );
  });
});
