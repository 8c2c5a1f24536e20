import type { CompletionList } from 'vscode-languageserver';
import { describe, expect, it } from 'vitest';
import { LineIndex } from '#base/line-index.ts';
import { SHOP } from '#support/language/shop.ts';
import { filesIn, yaml } from '#support/language/raw.ts';
import { ROOT, Session } from '#support/language/session.ts';

const CONFIG = 'memory:///agents/config.yml';
const RULE = 'memory:///agents/rules/My%20rules/a%23b.md';
const shop = (): Promise<Session> => Session.start(Object.fromEntries(filesIn(SHOP)));

/** A project on disk: a model, and files of agents beside it. */
async function project(
  agents: Readonly<Record<string, string>>,
  model: Readonly<Record<string, string>> = Object.fromEntries(filesIn(SHOP)),
): Promise<{ readonly session: Session; readonly disk: Map<string, string> }> {
  const disk = new Map([
    ...Object.entries(model).map(([path, text]) => [`${ROOT}/${path}`, text] as const),
    ...Object.entries(agents),
  ]);
  const session = await Session.start({}, {}, [], undefined, {
    listFiles: (root) => Promise.resolve([...disk.keys()].filter((uri) => uri.startsWith(`${root}/`))),
    readFile: (uri) => Promise.resolve(disk.get(uri)),
  });
  return { session, disk };
}

function messagesOf(session: Session, uri: string): () => readonly unknown[] | undefined {
  return () => session.diagnostics.get(uri)?.diagnostics.map(({ message }) => message);
}

async function wrote(session: Session, ...uris: readonly string[]): Promise<void> {
  const changes = uris.map((uri) => ({ uri, type: 2 }));
  await session.client.sendNotification('workspace/didChangeWatchedFiles', { changes });
}

const NO_SHP = ['The data model has no view “shp”. Did you mean “shop”?'];
const USES_SHP = yaml`
  accessible_views: [shop, shp]
  anything: else
`;

describe('files of agents in the language server', () => {
  it('have their problems when the project is opened', async () => {
    const { session } = await project({ [CONFIG]: USES_SHP, [RULE]: '---\ntype: alway\n---\nText\n' });
    await expect.poll(messagesOf(session, CONFIG)).toEqual(NO_SHP);
    await expect.poll(messagesOf(session, RULE)).toEqual([expect.stringContaining('alway')]);
    session.dispose();
  });

  it('follow what other programs write, and folders that come and go', async () => {
    const { session, disk } = await project({ [CONFIG]: USES_SHP });
    const messages = messagesOf(session, CONFIG);
    await expect.poll(messages).toEqual(NO_SHP);
    disk.set(CONFIG, 'accessible_views: [shop]\n');
    await wrote(session, CONFIG);
    await expect.poll(messages).toEqual([]);
    disk.set(CONFIG, USES_SHP);
    await session.client.sendNotification('workspace/didCreateFiles', { files: [{ uri: 'memory:///agents' }] });
    await expect.poll(messages).toEqual(NO_SHP);
    disk.delete(CONFIG);
    await session.client.sendNotification('workspace/didDeleteFiles', { files: [{ uri: 'memory:///agents' }] });
    await expect.poll(messages).toEqual([]);
    disk.set(CONFIG, USES_SHP);
    await wrote(session, CONFIG);
    await expect.poll(messages).toEqual(NO_SHP);
    disk.delete(CONFIG);
    await wrote(session, CONFIG);
    await expect.poll(messages).toEqual([]);
    session.dispose();
  });

  it('follow the model: a view that is renamed in an editor or on disk, and one that appears', async () => {
    const model = { 'shop.yml': 'views:\n  - {name: shop, cubes: []}\n  - {name: other, cubes: []}\n' };
    const { session, disk } = await project({ [CONFIG]: 'accessible_views: [shop]\n' }, model);
    const messages = messagesOf(session, CONFIG);
    const uri = await session.open('shop.yml', model['shop.yml']);
    await session.diagnosticsOf(uri, 1);
    await session.client.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: model['shop.yml'].replace('shop', 'market') }],
    });
    await expect.poll(messages).toEqual(['The data model has no view “shop”.']);
    await session.client.sendNotification('textDocument/didClose', { textDocument: { uri } });
    await expect.poll(messages).toEqual([]);
    disk.set(uri, model['shop.yml'].replace('shop', 'store'));
    await wrote(session, uri);
    await expect.poll(messages).toEqual([expect.stringContaining('no view “shop”')]);
    const more = `${ROOT}/more.yml`;
    disk.set(more, 'views:\n  - {name: shop, cubes: []}\n');
    await wrote(session, more);
    await expect.poll(messages).toEqual([]);
    disk.delete(more);
    await wrote(session, more);
    await expect.poll(messages).toEqual([expect.stringContaining('no view “shop”')]);
    session.dispose();
  });

  it('know the names in all of them, open or not', async () => {
    const query = 'memory:///agents/certified_queries/revenue.md';
    const { session, disk } = await project({
      [CONFIG]: yaml`
        eval_questions:
          - name: a
            question: b
            certifiedQuery: revenue
      `,
      [query]: '---\nuser_request: Revenue?\n---\nSELECT 1\n',
      'memory:///agents/other.yml': 'rules: wrong\n',
    });
    await expect.poll(messagesOf(session, 'memory:///agents/other.yml')).toHaveLength(1);
    expect(messagesOf(session, CONFIG)() ?? []).toEqual([]);
    disk.delete(query);
    await wrote(session, query);
    await expect.poll(messagesOf(session, CONFIG)).toEqual([expect.stringContaining('revenue')]);
    session.dispose();
  });

  it('have the problems of the text in the editor while they are open', async () => {
    const { session } = await project({ [CONFIG]: USES_SHP });
    const messages = messagesOf(session, CONFIG);
    await expect.poll(messages).toEqual(NO_SHP);
    await session.open(CONFIG, 'accessible_views: [shop]\n');
    await expect.poll(messages).toEqual([]);
    await session.client.sendNotification('textDocument/didClose', { textDocument: { uri: CONFIG } });
    await expect.poll(messages).toEqual(NO_SHP);
    session.dispose();
  });

  it('are checked while they were never saved, and cleared when they are closed', async () => {
    const session = await shop();
    expect(ROOT).toBe('memory:///model');
    const messages = messagesOf(session, CONFIG);
    await session.open(CONFIG, USES_SHP);
    await expect.poll(messages).toEqual(NO_SHP);
    await session.client.sendNotification('textDocument/didClose', { textDocument: { uri: CONFIG } });
    await expect.poll(messages).toEqual([]);
    session.dispose();
  });

  it('offer keys, values and views', async () => {
    const session = await shop();
    const offered = async (marked: string): Promise<readonly string[]> => {
      const text = marked.replace('|', '');
      const uri = await session.open(CONFIG, text);
      const position = new LineIndex(text).positionAt(marked.indexOf('|'));
      const { items } = await session.request<CompletionList>('textDocument/completion', uri, { position });
      return items.map(({ label }) => label);
    };
    expect(
      await offered(yaml`
        rules:
          - name: a
            |`),
    ).toEqual(['description', 'prompt', 'type']);
    expect(
      await offered(yaml`
        rules:
          - name: a
            type: |`),
    ).toEqual(['always', 'agent_requested']);
    expect(
      await offered(yaml`
        accessible_views:
          - |`),
    ).toEqual(['shop']);
    session.dispose();
  });

  it('are left alone beside no model', async () => {
    const session = await shop();
    const elsewhere = 'memory:///other/agents/config.yml';
    await session.open(elsewhere, 'accessible_views: nothing\n');
    await session.open(CONFIG, 'accessible_views: wrong\n');
    await expect.poll(() => session.diagnostics.get(CONFIG)?.diagnostics.length).toBe(1);
    expect(session.diagnostics.get(elsewhere)?.diagnostics ?? []).toEqual([]);
    session.dispose();
  });
});
