import { globSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { problemsIn } from '#language-server/ide/diagnostics.ts';
import type { LanguageHost } from '#language-server/host.ts';
import { OpenDocuments } from '#language-server/documents/documents.ts';
import { type RootOrigin, Workspace } from '#language-server/workspace/workspace.ts';
import { defaultLanguageSettings } from '#features/language/messages.ts';
import { isModelPath } from '#model/project/model-path.ts';
import { FakeEngine, onSave } from '#support/language/fake-engine.ts';
import { notModels } from '#support/language/not-models.ts';
import { ROOT, Session } from '#support/language/session.ts';
import { jinja, python, yaml } from '#support/language/raw.ts';

type Files = Readonly<Record<string, string>>;

const CUBE = yaml`
  cubes:
    - name: orders
      sql_table: t
      joins:
        - name: nobody
          sql: a
`;

function hostOf(files: Files): LanguageHost {
  const uris = new Map(Object.entries(files).map(([path, text]) => [`${ROOT}/${path}`, text]));
  return {
    listFiles: () => Promise.resolve([...uris.keys()].filter(isModelPath)),
    readFile: (uri) => Promise.resolve(uris.get(uri)),
    yield: () => Promise.resolve(),
    now: () => 0,
  };
}

/** The files that the server has something to say about, with what it says. */
async function problems(files: Files, origin: RootOrigin): Promise<Readonly<Record<string, readonly string[]>>> {
  const workspace = new Workspace(hostOf(files), new OpenDocuments());
  await workspace.setRoots([ROOT], new AbortController().signal, origin);
  const found = [...(workspace.roots[0]?.index.files() ?? [])].flatMap(({ path }) => {
    const opened = workspace.get(path);
    const list = opened
      ? problemsIn(opened).map(({ problem, start }) => `${problem.code} ${start} ${problem.message}`)
      : [];
    return list.length > 0 ? [[path.slice(ROOT.length + 1), list] as const] : [];
  });
  return Object.fromEntries(found);
}

const found = { found: [ROOT] };

function filesBelow(folder: string): Files {
  const paths = globSync(`${folder}/**/*`).filter((path) => statSync(path).isFile());
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

describe('a model that was found and is not linked', () => {
  // @shows works-on-opening (server)
  it('has no problems in files that are not models', async () => {
    const flagged = await problems({ ...notModels, 'cubes/orders.yml': CUBE }, found);
    expect(Object.keys(flagged)).toEqual(['cubes/orders.yml']);
  });

  // None of these is a file that cannot be recognised as a model.
  const projects = globSync('test/fixtures/corpora/error-matrix/*/model').concat([
    'test/fixtures/corpora/ix-eda-llm/model',
    'test/fixtures/corpora/vanilla-components/src/models',
    'test/fixtures/corpora/embeddable_starter_basics/src/models',
    'test/fixtures/corpora/cube-fixtures/packages/cubejs-testing/birdbox-fixtures/rbac/model',
    'test/fixtures/corpora/cube-fixtures/packages/cubejs-testing/birdbox-fixtures/postgresql/schema',
  ]);
  it.each(projects)('has the problems of a linked one in %s', async (folder) => {
    const files = filesBelow(folder);
    expect(await problems(files, found)).toEqual(await problems(files, {}));
  });

  it('knows the names of its globals.py, and that there are none without one', async () => {
    const template = jinja`
      cubes:
        - name: orders
          sql_table: "{{ table_of(1) }}"
    `;
    const without = await problems({ 'a.yml': template }, found);
    expect(without).toEqual(await problems({ 'a.yml': template }, {}));
    const globals = python`
      from cube import TemplateContext
      template = TemplateContext()
      @template.function("table_of")
      def table_of(a):
        return a
    `;
    expect(await problems({ 'a.yml': template, 'globals.py': globals }, found)).toEqual({});
  });

  it('takes every file as a model once it is linked', async () => {
    const session = await Session.start(
      {
        'orders.yml': CUBE,
        'other.yml': yaml`
          services:
            a: 1
        `,
      },
      found,
    );
    const orders = await session.open('orders.yml');
    expect((await session.diagnosticsOf(orders, 1)).map(({ code }) => code)).toMatchInlineSnapshot(`
      [
        "missing-key",
        "unknown-reference",
      ]
    `);
    const other = await session.open('other.yml');
    await session.client.sendNotification('modelbench/options', { roots: [ROOT], settings: defaultLanguageSettings });
    expect((await session.diagnosticsOf(other, 1)).map(({ code }) => code)).toMatchInlineSnapshot(`
      [
        "unknown-section",
      ]
    `);
    session.dispose();
  });

  it('is never empty while it is linked and unlinked', async () => {
    const files = {
      'orders.yml': CUBE,
      'other.yml': yaml`
        services:
          a: 1
      `,
    };
    const host = hostOf(files);
    let isListing = false;
    const seen: (readonly string[])[] = [];
    const workspace = new Workspace(
      {
        ...host,
        listFiles: async (root) => {
          if (isListing && root === ROOT) seen.push(paths());
          return host.listFiles(root);
        },
      },
      new OpenDocuments(),
    );
    const paths = (): readonly string[] =>
      [...(workspace.roots[0]?.index.files() ?? [])].map(({ path }) => path.slice(ROOT.length + 1)).sort();
    const { signal } = new AbortController();
    await workspace.setRoots([ROOT], signal, found);
    isListing = true;
    await workspace.setRoots([ROOT], signal);
    expect([...seen, paths()]).toEqual([['orders.yml'], ['orders.yml', 'other.yml']]);
    await workspace.setRoots([ROOT], signal, found);
    expect(paths()).toEqual(['orders.yml']);
  });

  it('is apart from others in an editor that names no models', async () => {
    const files = { 'a/model/a.yml': CUBE, 'b/model/cubes/a.yml': CUBE, 'c/a.cube.yml': CUBE, 'd.yml': CUBE };
    const session = await Session.start(files, { roots: undefined }, [ROOT]);
    for (const path of Object.keys(files)) {
      const uri = await session.open(path);
      const codes = (await session.diagnosticsOf(uri, 1)).map(({ code }) => code);
      expect({ path, codes: new Set(codes) }).toEqual({ path, codes: new Set(['missing-key', 'unknown-reference']) });
    }
    session.dispose();
  });

  it('is compiled by the engine, without what is not a model', async () => {
    const engine = new FakeEngine();
    const files = {
      'orders.yml': yaml`
        cubes:
          - name: orders
            sql_table: t
      `,
      'other.yml': yaml`
        services:
          a: 1
      `,
    };
    const session = await Session.start(files, { ...found, settings: onSave }, [], engine);
    const uri = await session.open('orders.yml');
    expect(await session.client.sendRequest('modelbench/engineCheck', { uri })).toEqual({ state: 'accepted' });
    expect(engine.asked.map((asked) => asked.map(({ fileName }) => fileName))).toEqual([['orders.yml']]);
    session.dispose();
  });
});

describe('the folders of an editor that configures none', () => {
  // @shows several-folders
  it('are searched again when the user adds one or removes one', async () => {
    const [shop, more] = [`${ROOT}/shop`, `${ROOT}/more`];
    const session = await Session.start(
      { 'shop/model/orders.yml': CUBE, 'more/model/orders.yml': CUBE },
      { roots: undefined },
      [shop],
      undefined,
      {},
      { workspace: { workspaceFolders: true } },
    );
    expect(session.initialized?.capabilities.workspace?.workspaceFolders?.changeNotifications).toBe(true);
    const reported = (): readonly string[] =>
      [...session.diagnostics].flatMap(([uri, { diagnostics }]) => (diagnostics.length > 0 ? [uri] : [])).toSorted();
    const ofShop = `${shop}/model/orders.yml`;
    const ofMore = `${more}/model/orders.yml`;
    await expect.poll(reported).toEqual([ofShop]);
    const change = async (added: readonly string[], removed: readonly string[]): Promise<void> => {
      const named = (uris: readonly string[]) => uris.map((uri) => ({ uri, name: 'folder' }));
      await session.client.sendNotification('workspace/didChangeWorkspaceFolders', {
        event: { added: named(added), removed: named(removed) },
      });
    };
    await change([more], []);
    await expect.poll(reported).toEqual([ofMore, ofShop]);
    await change([], [shop]);
    await expect.poll(reported).toEqual([ofMore]);
    session.dispose();
  });
});
