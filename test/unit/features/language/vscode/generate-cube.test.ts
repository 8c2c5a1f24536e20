import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CubeOfTable, KnownTablesResult } from '#features/language/messages.ts';
import type { CubeSource, generateCube as GenerateCube } from '#features/language/vscode/generate-cube.ts';
import { yaml } from '#support/language/raw.ts';

/** A window: which row the user takes, what becomes of the review, and what was shown and written. */
const host = vi.hoisted(() => ({
  editor: undefined as string | undefined,
  takes: undefined as number | undefined,
  review: 'accepted' as 'accepted' | 'left' | 'refused',
  files: new Map<string, string>(),
  offered: [] as string[],
  messages: [] as string[],
  shown: [] as string[],
  reviewed: [] as unknown[],
}));

vi.mock('vscode', async () => {
  const fake = await import('#support/fake-vscode.ts');
  type FakeUri = ReturnType<typeof fake.Uri.file>;
  class WorkspaceEdit {
    readonly creations: { readonly uri: string; readonly options: object }[] = [];
    readonly insertions: { readonly uri: string; readonly text: string }[] = [];
    createFile(uri: FakeUri, options: object, review: object): void {
      host.reviewed.push(review);
      this.creations.push({ uri: uri.toString(), options });
    }
    insert(uri: FakeUri, _position: object, text: string, review: object): void {
      host.reviewed.push(review);
      this.insertions.push({ uri: uri.toString(), text });
    }
  }
  const documentOf = (uri: FakeUri): object => ({
    uri,
    getText: () => host.files.get(uri.toString()),
    save: () => Promise.resolve(true),
  });
  return {
    ...fake,
    WorkspaceEdit,
    window: {
      ...fake.window,
      get activeTextEditor() {
        return host.editor === undefined ? undefined : { document: { uri: fake.Uri.parse(host.editor) } };
      },
      showInformationMessage: (message: string) => {
        host.messages.push(message);
        return Promise.resolve(undefined);
      },
      showQuickPick: (items: readonly { readonly label: string; readonly description: string }[]) => {
        host.offered.push(...items.map(({ label, description }) => `${label} (${description})`));
        return Promise.resolve(host.takes === undefined ? undefined : items[host.takes]);
      },
      showTextDocument: (document: { readonly uri: FakeUri }) => {
        host.shown.push(document.uri.toString());
        return Promise.resolve(undefined);
      },
    },
    workspace: {
      ...fake.workspace,
      // As VS Code does: a file that is there is neither replaced nor passed over.
      applyEdit: ({ creations, insertions }: WorkspaceEdit) => {
        const isTaken = creations.some(
          ({ uri, options }) => host.files.has(uri) && !('overwrite' in options && options.overwrite === true),
        );
        if (host.review === 'refused' || isTaken) return Promise.resolve(false);
        if (host.review === 'accepted') for (const { uri, text } of insertions) host.files.set(uri, text);
        return Promise.resolve(true);
      },
      openTextDocument: (uri: FakeUri) =>
        host.files.has(uri.toString()) ? Promise.resolve(documentOf(uri)) : Promise.reject(new Error('gone')),
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
  Object.assign(host, { editor: undefined, takes: 1, review: 'accepted', offered: [], messages: [] });
  Object.assign(host, { files: new Map(), shown: [], reviewed: [] });
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

describe('generating a cube from a table', () => {
  it('offers the tables, and creates the file that the user reviewed', async () => {
    const { source, asked } = serverWith();
    await generateCube(source, FOLDER);
    expect(host.offered).toEqual(['shop.users (1 column)', 'shop.orders (3 columns)']);
    expect(asked).toEqual([{ uri: FOLDER }, { uri: FOLDER, relation: 'shop.orders' }]);
    const review = { label: 'Generate cube orders', needsConfirmation: true };
    expect(host.reviewed).toEqual([review, review]);
    expect([...host.files]).toEqual([[CUBE.uri, CUBE.text]]);
    expect({ shown: host.shown, messages: host.messages }).toEqual({ shown: [CUBE.uri], messages: [] });
  });

  it('writes nothing without a choice, or when the user rejects the change', async () => {
    host.takes = undefined;
    await generateCube(serverWith().source, FOLDER);
    Object.assign(host, { takes: 0, review: 'left' });
    await generateCube(serverWith().source, FOLDER);
    expect([...host.files]).toEqual([]);
    expect({ shown: host.shown, messages: host.messages }).toEqual({ shown: [], messages: [] });
  });

  it('never replaces a file that came in the meantime', async () => {
    host.files.set(CUBE.uri, 'mine');
    await generateCube(serverWith().source, FOLDER);
    expect([...host.files]).toEqual([[CUBE.uri, 'mine']]);
    expect({ shown: host.shown, messages: host.messages }).toEqual({
      shown: [],
      messages: ['orders.yml was not created.'],
    });
  });

  it('is for the model of the active editor where none is named', async () => {
    const { source, asked } = serverWith();
    host.editor = `${FOLDER}/a.yml`;
    await generateCube(source, undefined);
    expect(asked[0]).toEqual({ uri: `${FOLDER}/a.yml` });
  });

  it.each([
    ['without a model', { ...KNOWN, hasModel: false }, /^Open a file of the model/],
    ['without tables', { ...KNOWN, tables: [] }, /^No tables are known\. Run “dbt docs generate”/],
    ['with a file that cannot be read', { ...KNOWN, tables: [], problems: ['It is not JSON.'] }, /^It is not JSON\.$/],
  ])('says what is missing %s', async (_, known, message) => {
    await generateCube(serverWith(known).source, FOLDER);
    expect(host.messages.join('\n')).toMatch(message);
    expect(host.offered).toEqual([]);
  });

  it('says what is missing without an editor', async () => {
    await generateCube(serverWith().source, undefined);
    expect(host.messages).toEqual(['Open a file of the model that the cube is for.']);
  });
});
