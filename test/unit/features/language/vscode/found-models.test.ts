import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { DisposableStore } from '#base/disposable.ts';
import { silentLogger } from '#base/log.ts';
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
}));

vi.mock('vscode', async () => {
  const fake = await import('#support/fake-vscode.ts');
  const nothing = (): object => ({ dispose: () => undefined });
  const folders = ['/one', '/two'].map((path) => ({ uri: fake.Uri.file(path) }));
  return {
    ...fake,
    workspace: {
      ...fake.workspace,
      createFileSystemWatcher: () => ({
        onDidCreate: nothing,
        onDidChange: nothing,
        onDidDelete: nothing,
        dispose: () => undefined,
      }),
      onDidSaveTextDocument: nothing,
      onDidChangeWorkspaceFolders: (listener: Listener) => {
        host.folderListeners.push(listener);
        return nothing();
      },
      // Every search lists everything: a file that two globs match is found twice.
      findFiles: () => {
        host.searches += 1;
        return Promise.resolve([...host.files.keys()].map((path) => fake.Uri.file(path)));
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
