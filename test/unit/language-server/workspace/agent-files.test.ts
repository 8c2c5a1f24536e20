import type { CompletionList } from 'vscode-languageserver';
import { describe, expect, it } from 'vitest';
import { LineIndex } from '#base/line-index.ts';
import { SHOP } from '#support/language/shop.ts';
import { filesIn, yaml } from '#support/language/raw.ts';
import { ROOT, Session } from '#support/language/session.ts';

const CONFIG = 'memory:///agents/config.yml';
const shop = (): Promise<Session> => Session.start(Object.fromEntries(filesIn(SHOP)));

describe('files of agents in the language server', () => {
  it('are checked against the views of the model while they are open', async () => {
    const session = await shop();
    expect(ROOT).toBe('memory:///model');
    const messages = (): readonly unknown[] | undefined =>
      session.diagnostics.get(CONFIG)?.diagnostics.map(({ message }) => message);
    await session.open(
      CONFIG,
      yaml`
        accessible_views: [shop, shp]
        anything: else
      `,
    );
    await expect.poll(messages).toEqual(['The data model has no view “shp”. Did you mean “shop”?']);
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
