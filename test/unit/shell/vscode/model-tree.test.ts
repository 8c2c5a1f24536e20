import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Store } from '#base/store.ts';
import type { TreeNode } from '#shell/tree-item.ts';
import type { ModelTreeProvider as Provider, TreeElement } from '#shell/vscode/model-tree.ts';

vi.mock('vscode', async () => ({
  ...(await import('#support/fake-vscode.ts')),
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
}));

let ModelTreeProvider: typeof Provider;
beforeAll(async () => {
  vi.resetModules();
  ({ ModelTreeProvider } = await import('#shell/vscode/model-tree.ts'));
});
afterAll(() => vi.resetModules());

interface Row extends TreeNode {
  readonly label: string;
  readonly children?: readonly Row[] | undefined;
}

const row = (id: string, label: string, children: readonly Row[] = []): Row => ({ kind: 'row', id, label, children });

/** The rows of a tree as VS Code reads them, from the top. */
async function rows(tree: Provider<Row>, element?: TreeElement<Row>): Promise<readonly unknown[]> {
  const children = await tree.getChildren(element);
  return Promise.all(
    children.map(async (child) => {
      expect(tree.getParent(child)).toBe(element);
      return [child.node.label, await rows(tree, child)];
    }),
  );
}

describe('a tree', () => {
  it('has each row once, although a server lists an object twice', async () => {
    const nodes = new Store<readonly Row[]>([
      row('a', 'first', [row('a/1', 'inner'), row('a/1', 'inner again'), row('b', 'b inside of first')]),
      row('a', 'again', [row('a/2', 'lost')]),
      row('b', 'second', [row('a/1', 'elsewhere'), row('b/1', 'own')]),
    ]);
    const tree = new ModelTreeProvider<Row>({ nodes, describe: ({ label }) => ({ label, collapsible: 'none' }) });
    expect(await rows(tree)).toEqual([
      ['first', [['inner', []]]],
      ['second', [['own', []]]],
    ]);
    tree.dispose();
  });

  it('shows the rows of a list from which the repeated one is gone', async () => {
    const nodes = new Store<readonly Row[]>([row('a', 'first'), row('a', 'again'), row('b', 'second')]);
    const tree = new ModelTreeProvider<Row>({ nodes, describe: ({ label }) => ({ label, collapsible: 'none' }) });
    expect(await rows(tree)).toEqual([
      ['first', []],
      ['second', []],
    ]);
    nodes.set([row('b', 'second'), row('a', 'first')]);
    expect(await rows(tree)).toEqual([
      ['second', []],
      ['first', []],
    ]);
    tree.dispose();
  });
});
