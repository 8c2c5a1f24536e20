import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitAttachments } from '#chat-core/attachments.ts';
import { plainText } from '#language-server/ide/markdown-text.ts';
import { Redactor } from '#shell/vscode/redactor.ts';
import { withinLimit } from '#support/within-limit.ts';

function withoutMarks(text: string): string {
  return text
    .replaceAll(
      /(?<!\\)`([^`\n]*)`|(?<!\\)\[((?:\\.|[^\]\\])*)\]\([^)\s]*\)|(?<!\\)\*\*((?:\\.|[^*\\])+)\*\*/g,
      (_, code, link, bold) => String(code ?? link ?? bold),
    )
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
}

/** Readers of texts from outside, and what each has to read as the pattern that defines it does. */
const readers = {
  'the redactor': {
    read: (text: string) => new Redactor().redact(text),
    defined: (text: string) => text.replaceAll(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '***'),
    beginnings: ['eyJ-', 'eyJh.', '-eyJ'],
    pieces: ['eyJ', 'eyJh', '.', '-', 'a', ' ', 'é', '\n'],
  },
  'the split of a question and its attachments': {
    read: (text: string) => splitAttachments(text).question,
    defined: (text: string) =>
      text.replaceAll(/\n\n<attached name="([^"\n]*)" from="([^"\n]*)">\n([\s\S]*?)\n<\/attached>/g, ''),
    beginnings: ['\n\n<attached name="a" from="b">\n', '\n\n<attached name="'],
    pieces: ['\n\n<attached name="a" from="b">\n', '\n</attached>', '\n', 'a', '\n\n<attached name="', '"'],
  },
  'Markdown as plain text': {
    read: plainText,
    defined: (text: string) =>
      text
        .split(/^(`{3,})\w*\n([\s\S]*?)\n\1$/m)
        .map((piece, at) => (at % 3 === 0 ? withoutMarks(piece) : at % 3 === 2 ? piece : ''))
        .join(''),
    beginnings: ['```\n', '```sql\n', '[', '[a](', '[](', String.raw`\[`, '**a', '`a'],
    pieces: ['```', '````', '```sql', '\n', '\n\n', 'a', '[b](c)', '**d**'],
  },
} as const;

type Reader = keyof typeof readers;
const names = Object.keys(readers) as readonly Reader[];

describe.each(names)('%s', (name) => {
  const { beginnings, read, defined, pieces } = readers[name];

  it('reads what its pattern defines', () => {
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((each) => each.join(''));
    fc.assert(
      fc.property(text, (given) => {
        expect(read(given)).toBe(defined(given));
      }),
      { numRuns: 5000, seed: 3 },
    );
  });

  it('reads a text of megabytes that repeats the beginning of something', () => {
    const texts = beginnings.map((each) => each.repeat(Math.ceil(2_000_000 / each.length)));
    // Each is shown to end; what it reads there is what the pattern would.
    expect(texts.map((text) => typeof withinLimit(() => read(text)))).toEqual(texts.map(() => 'string'));
  });
});
