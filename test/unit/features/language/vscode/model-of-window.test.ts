import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { modelOfWindow as ModelOfWindow } from '#features/language/vscode/model-of-window.ts';

/** A window: the document in its active editor, which row the user takes, and the rows that were offered. */
const host = vi.hoisted(() => ({
  document: undefined as { readonly uri: string; readonly languageId: string; readonly text: string } | undefined,
  takes: undefined as number | undefined,
  offered: [] as string[],
}));

vi.mock('vscode', async () => {
  const fake = await import('#support/fake-vscode.ts');
  return {
    ...fake,
    window: {
      ...fake.window,
      get activeTextEditor() {
        if (!host.document) return undefined;
        const { uri, languageId, text } = host.document;
        return { document: { uri: fake.Uri.parse(uri), languageId, getText: () => text } };
      },
      showQuickPick: (items: readonly { readonly label: string }[]) => {
        host.offered.push(...items.map(({ label }) => label));
        return Promise.resolve(host.takes === undefined ? undefined : items[host.takes]);
      },
    },
    workspace: {
      ...fake.workspace,
      asRelativePath: ({ path }: { readonly path: string }) => path.slice('/work/'.length),
    },
  };
});

let modelOfWindow: typeof ModelOfWindow;
beforeAll(async () => {
  vi.resetModules();
  ({ modelOfWindow } = await import('#features/language/vscode/model-of-window.ts'));
});
afterAll(() => vi.resetModules());
beforeEach(() => Object.assign(host, { document: undefined, takes: undefined, offered: [] }));

const SHOP = 'file:///work/shop/model';
const FLIGHTS = 'file:///work/flights/model';

describe('the model that a command is about', () => {
  it.each([
    ['a file of a model', `${SHOP}/cubes/orders.js`, 'javascript', 'cube(`orders`, {});'],
    ['a model outside of the window’s folders', 'file:///tmp/orders.yml', 'yaml', 'cubes:\n  - name: orders\n'],
  ])('is that of the active editor with %s', async (_, uri, languageId, text) => {
    host.document = { uri, languageId, text };
    expect(await modelOfWindow([SHOP, FLIGHTS])).toBe(uri);
  });

  it.each([
    ['without an editor', undefined],
    ['beside other YAML', { uri: 'file:///work/compose.yml', languageId: 'yaml', text: 'services: {}\n' }],
    ['beside a folder whose name begins alike', { uri: `${SHOP}s/a.md`, languageId: 'markdown', text: '' }],
  ])('is the only one of the window %s', async (_, document) => {
    host.document = document;
    expect(await modelOfWindow([SHOP])).toBe(SHOP);
    expect(host.offered).toEqual([]);
  });

  it('is chosen among several', async () => {
    host.takes = 1;
    expect(await modelOfWindow([SHOP, FLIGHTS])).toBe(FLIGHTS);
    expect(host.offered).toEqual(['shop/model', 'flights/model']);
  });

  it('is none if the user chooses none', async () => {
    expect(await modelOfWindow([SHOP, FLIGHTS])).toBeUndefined();
  });

  it('does not exist in a window without models', async () => {
    await expect(modelOfWindow([])).rejects.toThrow('This window has no data model. Open a file of one first.');
  });
});
