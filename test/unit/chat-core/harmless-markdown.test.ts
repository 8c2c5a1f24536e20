import { array, assert as check, constantFrom, property } from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { KeyedList } from '#base/keyed-list.ts';
import { harmlessMarkdown } from '#chat-core/harmless-markdown.ts';
import { exportMarkdown } from '#chat-core/markdown-export.ts';
import { type ChatMessage, emptyThread } from '#chat-core/thread.ts';

/** As the preview of VS Code reads a document. */
const preview = new MarkdownIt({ html: true, linkify: true });

/** What a preview would load or run: images, and HTML other than the end of a line. */
function embedded(text: string): readonly string[] {
  return preview
    .parse(text, {})
    .flatMap((token) => [token, ...(token.children ?? [])])
    .filter(
      ({ type, content }) =>
        type === 'image' || (type.startsWith('html') && !(type === 'html_inline' && content === '<br>')),
    )
    .map(({ type, content }) => `${type} ${content}`);
}

const IMAGE = '![a](https://x.test/a.png)';
const TAG = '<img src="https://x.test/a.png">';

describe('harmlessMarkdown', () => {
  it.each([
    ['an image', IMAGE, '<a href="https://x.test/a.png">a</a>'],
    ['an image behind two backslashes', `\\\\${IMAGE}`, '<a href="https://x.test/a.png">a</a>'],
    ['an image by reference', '![a][b]\n\n[b]: https://x.test/a.png', '<a href="https://x.test/a.png">a</a>'],
    ['a tag', `Seven ${TAG}.`, 'Seven &lt;img src='],
    ['a block of tags', `<div>\n\n${IMAGE}</div>`, '&lt;div&gt;'],
    ['a comment that hides a fence', '<!--\n```\n-->\n' + TAG, '&lt;!--'],
    ['a fence in a list before one at the margin', `- \`\`\`\n\`\`\`\n\`\`\`\n${TAG}`, '&lt;img'],
  ])('shows %s as text or as a link', (_what, text, shown) => {
    expect(embedded(text)).not.toEqual([]);
    const harmless = harmlessMarkdown(text);
    expect(embedded(harmless)).toEqual([]);
    expect(preview.render(harmless)).toContain(shown);
  });

  it.each([
    ['code', `\`\`\`html\n${TAG}\n  \`\`\`\`\n`],
    ['code with a shorter fence in it', `~~~~\n~~~\n${IMAGE}\n\`\`\`\`\n~~~~\n`],
    ['comparisons', 'a < b, a <b>1, `a <> b` and <https://x.test/a>'],
    ['several lines in a cell', '| a |\r\n| --- |\r\n| x<br>y |\r\n'],
  ])('leaves %s as it is', (_what, text) => {
    expect(harmlessMarkdown(text)).toBe(text.replace('<b>', '&lt;b>'));
  });

  it('leaves nothing that a preview loads, wherever fences, quotations, lists and tags are', () => {
    const pieces = ['```', '````', '~~~', '``', '`', 'x', ' ', '   ', '    ', '\t', '- ', '1. ', '> ', '$$', '\\', '# ']
      .concat([
        '\n',
        '\n',
        '\r\n',
        '\r',
        '\n\n',
        '<!--',
        '-->',
        '<![CDATA[',
        '<script>',
        '</script>',
        '<?',
        '<div>',
        '!',
      ])
      .concat(['[', '](https://x.test)', '| a |', '\n| - |\n', '[b]: /x "', IMAGE, IMAGE, TAG, TAG, '<br>', '<x:y>']);
    check(
      property(array(constantFrom(...pieces), { maxLength: 40 }), (chosen) => {
        expect(embedded(harmlessMarkdown(chosen.join('')))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('an exported thread', () => {
  it('loads nothing in a preview, whoever wrote its texts', () => {
    const message = (each: Partial<ChatMessage>): ChatMessage => ({
      ...{ id: 'f', text: '', thinking: '', graphPath: ['final'], isInProcess: false, revision: 0 },
      ...each,
    });
    const result = {
      sqlQuery: 'SELECT 1',
      queryTitle: TAG,
      schema: [{ name: IMAGE, column_type: 's' }],
      data: [[TAG]],
    };
    const messages = KeyedList.of<ChatMessage>([
      message({ id: 't', graphPath: ['a', 'tools'], toolCall: { name: 'aSqlApi', result: JSON.stringify(result) } }),
      message({ text: `- \`\`\`js\n  1\n\n${TAG} ${IMAGE}` }),
    ]);
    const turn = { id: '1', prompt: `${IMAGE}\n${TAG}`, phase: 'complete', startedAt: 0, messages } as const;
    const exported = exportMarkdown({ ...emptyThread('k', 's', 0), title: TAG, turns: [turn, turn] });
    expect(embedded(exported)).toEqual([]);
    expect(exported).toContain('```sql\nSELECT 1\n```');
  });
});
