import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CubeOfTable, KnownTablesResult } from '#features/language/messages.ts';
import type { ReviewSource } from '#features/review/index.ts';
import type { CubeSource, generateCube as GenerateCube } from '#features/language/vscode/generate-cube.ts';
import { yaml } from '#support/language/raw.ts';

/** A window: which row the user takes, what became of its files, and what was shown. */
const host = vi.hoisted(() => ({
  takes: undefined as number | undefined,
  files: new Map<string, string>(),
  offered: [] as string[],
  messages: [] as string[],
  shown: [] as string[],
  previewed: [] as string[],
}));

vi.mock('vscode', async () => {
  const fake = await import('#support/fake-vscode.ts');
  type FakeUri = ReturnType<typeof fake.Uri.file>;
  interface Creation {
    readonly uri: string;
    readonly options: { readonly overwrite?: boolean; readonly contents: Uint8Array };
  }
  class WorkspaceEdit {
    readonly creations: Creation[] = [];
    createFile(uri: FakeUri, options: Creation['options']): void {
      this.creations.push({ uri: uri.toString(), options });
    }
  }
  return {
    ...fake,
    WorkspaceEdit,
    window: {
      ...fake.window,
      showInformationMessage: (message: string) => {
        host.messages.push(message);
        return Promise.resolve(undefined);
      },
      showQuickPick: (items: readonly { readonly label: string; readonly description: string }[]) => {
        host.offered.push(...items.map(({ label, description }) => `${label} (${description})`));
        return Promise.resolve(host.takes === undefined ? undefined : items[host.takes]);
      },
      showTextDocument: (shown: FakeUri | { readonly content: string }) => {
        if ('content' in shown) host.previewed.push(shown.content);
        else host.shown.push(shown.toString());
        return Promise.resolve(undefined);
      },
    },
    workspace: {
      ...fake.workspace,
      asRelativePath: (uri: FakeUri) => uri.path.replace('/shop/', ''),
      // As VS Code does: a file that is there is neither replaced nor passed over.
      applyEdit: ({ creations }: WorkspaceEdit) => {
        const isTaken = creations.some(({ uri, options }) => host.files.has(uri) && options.overwrite !== true);
        if (isTaken) return Promise.resolve(false);
        for (const { uri, options } of creations) host.files.set(uri, new TextDecoder().decode(options.contents));
        return Promise.resolve(true);
      },
      openTextDocument: ({ content }: { readonly content: string }) => Promise.resolve({ content }),
    },
  };
});

let generateCube: typeof GenerateCube;
beforeAll(async () => {
  vi.resetModules();
  ({ generateCube } = await import('#features/language/vscode/generate-cube.ts'));
});
afterAll(() => vi.resetModules());
beforeEach(() => {
  Object.assign(host, { takes: 1, offered: [], messages: [] });
  Object.assign(host, { files: new Map(), shown: [], previewed: [] });
});

const FOLDER = 'file:///shop/model';
const CUBE: CubeOfTable = {
  uri: `${FOLDER}/cubes/orders.yml`,
  name: 'orders',
  text: yaml`
    cubes:
      - name: orders
  `,
};
const KNOWN: KnownTablesResult = {
  hasModel: true,
  problems: [],
  tables: [
    { relation: 'shop.users', columns: 1 },
    { relation: 'shop.orders', columns: 3, description: 'All orders.' },
  ],
};

/** A language server that knows these tables, with what it was asked. */
function serverWith(known: KnownTablesResult = KNOWN) {
  const asked: unknown[] = [];
  const source: CubeSource = {
    tables: async (params) => (asked.push(params), known),
    cube: async (params) => (asked.push(params), CUBE),
  };
  return { source, asked };
}

/** Runs the command and answers the page that it opened, if it did. */
async function pageOf(source: CubeSource, uri: string): Promise<ReviewSource | undefined> {
  let page: ReviewSource | undefined;
  await generateCube(source, uri, { open: async (opened) => void (page = opened) });
  return page;
}

/** Presses the primary button of the page. */
async function create(page: ReviewSource | undefined): Promise<boolean | undefined> {
  return page?.apply({ message: '', options: [], typed: '' });
}

describe('generating a cube from a table', () => {
  it('offers the tables, shows the whole text, and creates the file that the user reviewed', async () => {
    const { source, asked } = serverWith();
    const page = await pageOf(source, FOLDER);
    expect(host.offered).toEqual(['shop.users (1 column)', 'shop.orders (3 columns)']);
    expect(asked).toEqual([{ uri: FOLDER }, { uri: FOLDER, relation: 'shop.orders' }]);
    expect(page?.document.value).toMatchObject({
      title: 'Generate Cube orders',
      from: 'shop.orders',
      to: 'model/cubes',
      action: { label: 'Create orders.yml', whyNot: '' },
      groups: [{ rows: [{ path: 'model/cubes/orders.yml', kind: 'add' }] }],
    });
    expect(await page?.texts('model/cubes/orders.yml')).toEqual({ before: undefined, after: CUBE.text });
    expect([...host.files]).toEqual([]);
    expect(await create(page)).toBe(true);
    expect([...host.files]).toEqual([[CUBE.uri, CUBE.text]]);
    expect({ shown: host.shown, messages: host.messages }).toEqual({ shown: [CUBE.uri], messages: [] });
  });

  it('opens the text in an editor without a file', async () => {
    const page = await pageOf(serverWith().source, FOLDER);
    await page?.diff('model/cubes/orders.yml');
    expect(host.previewed).toEqual([CUBE.text]);
    expect([...host.files]).toEqual([]);
  });

  it('writes nothing without a choice, or when the user closes the page', async () => {
    host.takes = undefined;
    expect(await pageOf(serverWith().source, FOLDER)).toBeUndefined();
    host.takes = 0;
    (await pageOf(serverWith().source, FOLDER))?.close();
    expect([...host.files]).toEqual([]);
    expect({ shown: host.shown, messages: host.messages }).toEqual({ shown: [], messages: [] });
  });

  it('never replaces a file that came in the meantime', async () => {
    const page = await pageOf(serverWith().source, FOLDER);
    host.files.set(CUBE.uri, 'mine');
    await expect(create(page)).rejects.toThrow('orders.yml was not created.');
    expect([...host.files]).toEqual([[CUBE.uri, 'mine']]);
    expect(host.shown).toEqual([]);
  });

  it.each([
    ['without tables', { ...KNOWN, tables: [] }, /^No tables are known\. Run “dbt docs generate”/],
    ['with a file that cannot be read', { ...KNOWN, tables: [], problems: ['It is not JSON.'] }, /^It is not JSON\.$/],
  ])('says what is missing %s', async (_, known, message) => {
    await pageOf(serverWith(known).source, FOLDER);
    expect(host.messages.join('\n')).toMatch(message);
    expect(host.offered).toEqual([]);
  });

  it('says that a document belongs to no model', async () => {
    const { source } = serverWith({ ...KNOWN, hasModel: false });
    await expect(pageOf(source, 'file:///shop/compose.yml')).rejects.toThrow('This is not part of a data model.');
  });
});
