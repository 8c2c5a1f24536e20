import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { pathOf as PathOf } from '#features/chat/vscode/attached.ts';
import { Uri } from '#support/fake-vscode.ts';

vi.mock('vscode', async () => {
  const fake = await import('#support/fake-vscode.ts');
  // As VS Code does: a path outside of the workspace is answered whole.
  const asRelativePath = ({ path }: { readonly path: string }): string => path.replace('/work/shop/', '');
  const SymbolKind = { Class: 4, Interface: 10, Package: 3 };
  return { ...fake, SymbolKind, workspace: { ...fake.workspace, asRelativePath } };
});

let pathOf: typeof PathOf;
beforeAll(async () => {
  vi.resetModules();
  ({ pathOf } = await import('#features/chat/vscode/attached.ts'));
});
afterAll(() => vi.resetModules());

it.each([
  ['a file of the workspace', 'file:///work/shop/model/cubes/orders.yml', 'model/cubes/orders.yml'],
  ['a file outside of it', 'file:///tmp/orders.yml', '/tmp/orders.yml'],
  ['compiled SQL', 'modelbench-sql:/orders.sql', 'orders.sql'],
  ['a file of a branch', 'modelbench:/main/model/orders.yml', 'main/model/orders.yml'],
  ['an editor without a file', 'untitled:Untitled-1', 'Untitled-1'],
])('is named in the chat by its path: %s', (_, uri, path) => {
  expect(pathOf(Uri.parse(uri) as never)).toBe(path);
});
