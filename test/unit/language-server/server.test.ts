import { describe, expect, it } from 'vitest';
import type { DocumentSymbol, Hover } from 'vscode-languageserver';
import { Session } from '#support/language/session.ts';
import { yaml } from '#support/language/raw.ts';

const ORDERS = yaml`
  cubes:
    - name: orders
      sql_table: public.orders
      dimensions:
        - name: status
          sql: status
          type: string
      measures:
        - { name: count, type: count }
`;

describe('the language server', () => {
  // @shows broken-input (server)
  it('publishes syntax errors of one item and keeps the others', async () => {
    const session = await Session.start({});
    const uri = await session.open(
      'orders.yml',
      yaml`
        cubes:
          - name: broken
            sql: "never closed
          - name: whole
            sql_table: t
      `,
    );
    const found = await session.diagnosticsOf(uri, 1);
    expect(found.map(({ code, range }) => `${String(code)} in line ${range.start.line + 1}`)).toMatchInlineSnapshot(`
      [
        "yaml-syntax in line 3",
      ]
    `);
    const symbols = await session.request<DocumentSymbol[]>('textDocument/documentSymbol', uri);
    expect(symbols.map(({ name }) => name)).toEqual(['broken', 'whole']);
    session.dispose();
  });

  // @shows cancellation (server)
  it('follows each change with diagnostics of that version', async () => {
    const session = await Session.start({ 'orders.yml': ORDERS });
    const uri = await session.open('orders.yml');
    expect(await session.diagnosticsOf(uri, 1)).toEqual([]);
    const position = { line: 5, character: 13 };
    await session.client.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ range: { start: position, end: position }, text: '{CUBE}.' }],
    });
    const found = await session.diagnosticsOf(uri, 2);
    expect(found.map(({ code }) => code)).toMatchInlineSnapshot(`
      [
        "unquoted-braces",
      ]
    `);
    session.dispose();
  });

  // @shows hover (server)
  it('explains a key', async () => {
    const session = await Session.start({ 'orders.yml': ORDERS });
    const uri = await session.open('orders.yml');
    const hover = await session.request<Hover>('textDocument/hover', uri, { position: { line: 2, character: 6 } });
    expect(hover.contents).toMatchInlineSnapshot(`
      {
        "kind": "markdown",
        "value": "**sql_table** · Cube · SQL

      The table (or a qualified or quoted name). One of \`sql_table\` and \`sql\`.",
      }
    `);
    expect(hover.range).toEqual({ start: { line: 2, character: 4 }, end: { line: 2, character: 13 } });
    session.dispose();
  });

  it('outlines cubes with their members', async () => {
    const session = await Session.start({ 'orders.yml': ORDERS });
    const uri = await session.open('orders.yml');
    const [orders] = await session.request<DocumentSymbol[]>('textDocument/documentSymbol', uri);
    expect(orders?.children?.map(({ name, detail }) => [name, detail])).toEqual([
      ['status', 'string'],
      ['count', 'count'],
    ]);
    session.dispose();
  });

  it('leaves YAML alone that is not a model', async () => {
    const session = await Session.start({});
    const uri = await session.open(
      'untitled:compose.yml',
      yaml`
        services:
          web: {image: "x}
      `,
    );
    expect(
      await session.request<Hover | null>('textDocument/hover', uri, { position: { line: 0, character: 1 } }),
    ).toBeNull();
    expect(session.diagnostics.has(uri)).toBe(false);
    session.dispose();
  });

  it.each([
    { how: 'is over', listFiles: undefined },
    { how: 'failed', listFiles: () => Promise.reject(new Error('The folder is locked.')) },
  ])('notifies its host when the first reading of all files begins, and that it $how', async ({ listFiles }) => {
    const told: boolean[] = [];
    const reading = (isUnderWay: boolean): void => void told.push(isUnderWay);
    const own = listFiles ? { reading, listFiles } : { reading };
    const session = await Session.start({ 'orders.yml': ORDERS }, {}, [], undefined, own);
    expect(told).toEqual([true, false]);
    session.dispose();
  });
});
