import { describe, expect, it } from 'vitest';
import { Session } from '#support/language/session.ts';

const member = (at: number): string =>
  `      - name: d${at}\n        sql: "{CUBE}.column_${at}"\n        type: string\n        description: ${'words '.repeat(20)}\n`;
const cube = (at: number): string =>
  `  - name: c${at}\n    sql_table: t${at}\n    dimensions:\n${Array.from({ length: 40 }, (_, each) => member(each)).join('')}`;
const large = `cubes:\n${Array.from({ length: 60 }, (_, at) => cube(at)).join('')}`;

describe('a large document', () => {
  it('gets its problems and answers', async () => {
    const session = await Session.start({});
    const text = large.replace('sql: "{CUBE}.column_7"\n', 'sqll: x\n').replace('{CUBE}.column_9', '{CUBE.nothing}');
    expect(text.length).toBeGreaterThan(300_000);
    const uri = await session.open('large.yml', text);
    const outline = await session.request<readonly unknown[]>('textDocument/documentSymbol', uri);
    expect(outline.length).toBe(60);
    const found = await session.diagnosticsOf(uri, 1);
    expect(found.map(({ code, range }) => `${String(code)} in line ${range.start.line + 1}`)).toMatchInlineSnapshot(`
      [
        "unknown-key in line 34",
        "unknown-reference in line 42",
      ]
    `);
  });

  // @shows broken-input (server)
  it('shows its problems at once while it is typed in', async () => {
    const session = await Session.start({});
    const uri = await session.open('large.yml', large);
    expect(await session.diagnosticsOf(uri, 1)).toEqual([]);
    const lines = large.split('\n');
    const line = lines.findIndex((each, at) => at > 2000 && each.includes('type: string'));
    const place = { line, character: (lines[line] ?? '').length };
    await session.client.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ range: { start: place, end: place }, text: 'x' }],
    });
    expect((await session.diagnosticsOf(uri, 2)).map(({ code, range }) => [code, range.start.line])).toEqual([
      ['bad-value', line],
    ]);
  });
});
