import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { DisposableStore } from '#base/disposable.ts';
import { silentLogger } from '#base/log.ts';
import { isListed } from '#features/folders/listed-models.ts';
import type { foundModels as FoundModels } from '#features/language/vscode/found-models.ts';
import { yaml } from '#support/language/raw.ts';

const CUBE = yaml`
  cubes:
    - name: orders
      sql_table: t
`;

type Listener = () => void;

/** A window with two folders and these files, which are searched by the end of their glob. */
const host = vi.hoisted(() => ({
  files: new Map<string, string>(),
  searches: 0,
  folderListeners: [] as Listener[],
  savedListeners: [] as ((document: object) => void)[],
}));

vi.mock('vscode', async () => {
  const fake = await import('#support/fake-vscode.ts');
  const nothing = (): object => ({ dispose: () => undefined });
  const folders = ['/one', '/two'].map((path) => ({ uri: fake.Uri.file(path) }));
  return {
    ...fake,
    RelativePattern: class {
      readonly baseUri: object;
      constructor(base: object) {
        this.baseUri = base;
      }
    },
    workspace: {
      ...fake.workspace,
      createFileSystemWatcher: () => ({
        onDidCreate: nothing,
        onDidChange: nothing,
        onDidDelete: nothing,
        dispose: () => undefined,
      }),
      onDidSaveTextDocument: (listener: (document: object) => void) => {
        host.savedListeners.push(listener);
        return nothing();
      },
      onDidChangeWorkspaceFolders: (listener: Listener) => {
        host.folderListeners.push(listener);
        return nothing();
      },
      // A file that two globs match is found twice. Globs of names are those of the search; a pattern is of one folder.
      findFiles: (glob: string | { readonly baseUri: { readonly path: string } }) => {
        host.searches += 1;
        const isFound = (path: string): boolean =>
          typeof glob === 'string' ? isListed(path) : path.startsWith(`${glob.baseUri.path}/`);
        return Promise.resolve([...host.files.keys()].filter(isFound).map((path) => fake.Uri.file(path)));
      },
      getWorkspaceFolder: ({ path }: { readonly path: string }) =>
        folders.find(({ uri }) => path.startsWith(`${uri.path}/`)),
      fs: {
        readFile: async ({ path }: { readonly path: string }) => new TextEncoder().encode(host.files.get(path) ?? ''),
      },
    },
  };
});

let foundModels: typeof FoundModels;
beforeAll(async () => {
  vi.resetModules();
  ({ foundModels } = await import('#features/language/vscode/found-models.ts'));
});
beforeEach(() => {
  Object.assign(host, { searches: 0, folderListeners: [], savedListeners: [] });
});
afterAll(() => vi.resetModules());

it('finds the models of all folders once it is known what is linked, and follows the folders', async () => {
  host.files = new Map([
    ['/one/cube.py', ''],
    ['/one/model/a.yml', CUBE],
    ['/two/docker-compose.yml', 'services: {}\n'],
  ]);
  const store = new DisposableStore();
  onTestFinished(() => store.dispose());
  const links = Promise.withResolvers<undefined>();
  const found = foundModels(links.promise, silentLogger, store);
  expect([found.value, host.searches]).toEqual([undefined, 0]);

  links.resolve(undefined);
  await expect.poll(() => found.value).toEqual([{ model: 'file:///one/model', project: 'file:///one' }]);

  host.files.set('/two/src/orders.cube.yml', CUBE);
  for (const listener of host.folderListeners) listener();
  await expect.poll(() => found.value?.map(({ model }) => model)).toEqual(['file:///one/model', 'file:///two/src']);
});

it('finds the model in a folder that only a configuration names, and files that come into it', async () => {
  host.files = new Map([
    ['/one/cube.js', "module.exports = { schemaPath: 'semantic' };"],
    ['/one/semantic/a.yml', 'services: {}\n'],
  ]);
  const store = new DisposableStore();
  onTestFinished(() => store.dispose());
  const found = foundModels(Promise.resolve(), silentLogger, store);
  await expect.poll(() => found.value).toEqual([]);
  host.files.set('/one/semantic/b.yml', CUBE);
  for (const listener of host.savedListeners) {
    listener({ uri: (await import('#support/fake-vscode.ts')).Uri.file('/one/semantic/b.yml'), getText: () => CUBE });
  }
  await expect.poll(() => found.value).toEqual([{ model: 'file:///one/semantic', project: 'file:///one' }]);
});
