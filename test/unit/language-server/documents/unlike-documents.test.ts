import { describe, expect, it } from 'vitest';
import type { Hover } from 'vscode-languageserver';
import { notModels } from '#support/language/not-models.ts';
import { js, yaml } from '#support/language/raw.ts';
import { ROOT, Session } from '#support/language/session.ts';

const BROKEN = yaml`
  cubes:
    - name: orders
      sql_table: t
      dimensions:
        - {name: id, sql: id, type: nothing}
`;
const BROKEN_SCRIPT = js`
  cube('orders', { sql_table: 't', dimensions: { id: { sql: 'id', type: 'nothing' } } });
`;

interface Opened {
  readonly uri: string;
  readonly languageId: string;
  readonly text: string;
}

/** Opens documents in a session, and returns the messages for each once the server has handled all of them. */
async function shownIn(session: Session, documents: readonly Opened[]): Promise<readonly (readonly unknown[])[]> {
  for (const { uri, languageId, text } of documents)
    await session.client.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId, version: 1, text },
    });
  const last = await session.open('untitled:last', BROKEN);
  await session.diagnosticsOf(last, 1);
  await session.request('textDocument/hover', last, { position: { line: 0, character: 0 } });
  return documents.map(({ uri }) => (session.diagnostics.get(uri)?.diagnostics ?? []).map(({ message }) => message));
}

const inRoot = (text: string): Readonly<Record<string, string>> => ({ 'users.yml': text });

describe('a document that was never saved', () => {
  it.each([
    ['untitled:Untitled-1', 'yaml', BROKEN],
    ['untitled:Untitled-1', 'modelbench-yaml-jinja', BROKEN],
    ['untitled:Untitled-1', 'javascript', BROKEN_SCRIPT],
    ['untitled:/ws/new%20model/orders.js', 'javascript', BROKEN_SCRIPT],
    ['untitled:c%3A/ws/orders.yml', 'yaml', BROKEN],
    ['file:///tmp/orders.txt', 'javascript', BROKEN_SCRIPT],
  ])('is checked and explained as a model: %s (%s)', async (uri, languageId, text) => {
    const session = await Session.start({});
    const [messages] = await shownIn(session, [{ uri, languageId, text }]);
    expect(messages).toEqual([expect.stringContaining('nothing')]);
    const line = text.split('\n').findIndex((each) => each.includes('type'));
    const position = { line, character: (text.split('\n')[line] ?? '').indexOf('type') + 1 };
    const hover = await session.request<Hover | null>('textDocument/hover', uri, { position });
    expect(JSON.stringify(hover)).toContain('type');
    session.dispose();
  });

  it('becomes a model, and follows each key, while a script is typed', async () => {
    const session = await Session.start({});
    const uri = 'untitled:Untitled-1';
    await session.client.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'javascript', version: 1, text: '' },
    });
    for (let version = 2; version <= BROKEN_SCRIPT.length + 1; version++) {
      const at = { line: 0, character: version - 2 };
      await session.client.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ range: { start: at, end: at }, text: BROKEN_SCRIPT.slice(version - 2, version - 1) }],
      });
    }
    const found = await session.diagnosticsOf(uri, BROKEN_SCRIPT.length + 1);
    expect(found.map(({ message }) => message)).toEqual([expect.stringContaining('nothing')]);
    session.dispose();
  });

  it('is left alone where it is something else', async () => {
    const session = await Session.start({});
    const documents = Object.entries(notModels).map(([path, text], at) => ({
      uri: `untitled:Untitled-${at + 1}`,
      languageId: path.endsWith('.js') ? 'javascript' : 'yaml',
      text,
    }));
    expect((await shownIn(session, documents)).flat()).toEqual([]);
    session.dispose();
  });
});

describe('a document that is not the file itself', () => {
  const query = encodeURIComponent('{"path":"/model/users.yml","ref":"~"}');

  it.each([
    `git:/model/users.yml?${query}`,
    `git:/model/users.yml?{"path":"/model/users.yml","ref":"~"}`,
    'gitlens://abc/model/users.yml?ref=1',
    'review:/model/users.yml?a',
    'vscode-local-history:/model/users.yml',
    'conflictResolution:/model/users.yml',
    'vscode-notebook-cell:/model/book.ipynb#W0sZmlsZQ%3D%3D',
    'vscode-notebook-cell://ssh-remote%2Bhost/model/book.ipynb#W0',
    'chat-editing-text-model:/model/users.yml',
    'fugitive:///model/.git//0/model/users.yml',
    'output:users.yml',
  ])('has no problems of its own, and is explained: %s', async (uri) => {
    const session = await Session.start(inRoot(BROKEN));
    const script = uri.replace('users.yml', 'users.js');
    const documents = [{ uri, languageId: 'yaml', text: BROKEN }];
    if (script !== uri) documents.push({ uri: script, languageId: 'javascript', text: BROKEN_SCRIPT });
    expect((await shownIn(session, documents)).flat()).toEqual([]);
    const hover = await session.request<Hover | null>('textDocument/hover', uri, {
      position: { line: 4, character: 30 },
    });
    expect(JSON.stringify(hover)).toContain('type');
    expect(session.diagnostics.get(`${ROOT}/users.yml`)?.diagnostics).toHaveLength(1);
    session.dispose();
  });

  it('does not change what is known of the file', async () => {
    const session = await Session.start(inRoot(BROKEN));
    const other = BROKEN.replace('orders', 'users');
    await shownIn(session, [{ uri: 'git:/model/users.yml?x', languageId: 'yaml', text: other }]);
    const symbols = await session.client.sendRequest<
      readonly { readonly name: string; readonly location: { uri: string } }[]
    >('workspace/symbol', { query: 'users' });
    expect(symbols.filter(({ location }) => location.uri.startsWith(ROOT))).toEqual([]);
    session.dispose();
  });
});
