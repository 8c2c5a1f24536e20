import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Store } from '#base/store.ts';
import type { Branch } from '#features/platform/branches.ts';
import { branchTree, type BranchesNode, describeBranchesNode } from '#features/branches/branch-tree.ts';
import { ModelTreeProvider, type TreeElement } from '#shell/vscode/model-tree.ts';
import { branchInput } from '#support/branch-tree.ts';
import { theExtension } from './extension.ts';
import { describe, it } from './runner.ts';

describe('views', () => {
  it('open, all that the manifest lists', async () => {
    const { extension, manifest } = theExtension();
    await extension.activate();
    const views = Object.values(manifest.contributes?.views ?? {}).flat();
    assert.ok(views.length > 0, 'the manifest contributes views');
    const commands = new Set(await vscode.commands.getCommands(false));
    for (const { id, name } of views) {
      assert.ok(name.length > 0, `${id} has a name`);
      // A view that its condition hides has no focus command to run.
      if (commands.has(`${id}.focus`)) await vscode.commands.executeCommand(`${id}.focus`);
    }
  });
});

/** A platform’s branches: `main`, and shared ones of it. */
function branches(count: number, moved = ''): readonly Branch[] {
  return Array.from({ length: count }, (_, index) => ({
    name: index === 0 ? 'main' : `feature/${String(index).padStart(4, '0')}`,
    parentBranch: index === 0 ? undefined : 'main',
    lastHash: moved === `feature/${String(index).padStart(4, '0')}` ? 'b'.repeat(40) : 'a'.repeat(40),
    staging: false,
  }));
}

const tree = (list: readonly Branch[], filter = '', pages = 1): readonly BranchesNode[] =>
  branchTree(branchInput(list, { filter, pages: new Map([['shared', pages]]) }));

interface Drawn {
  readonly nodes: Store<readonly BranchesNode[]>;
  readonly provider: ModelTreeProvider<BranchesNode>;
  /** What VS Code was asked to draw again: ids of nodes, `*` for everything. */
  readonly events: string[];
}

function draw(list: readonly Branch[]): Drawn {
  const nodes = new Store(tree(list));
  const provider = new ModelTreeProvider({ nodes, describe: describeBranchesNode });
  const events: string[] = [];
  provider.onDidChangeTreeData((changed) => {
    const elements = changed === undefined ? [] : Array.isArray(changed) ? changed : [changed];
    events.push(changed === undefined ? '*' : elements.map(({ node }) => node.id).join(' '));
  });
  return { nodes, provider, events };
}

async function shared({ provider }: Drawn): Promise<readonly TreeElement<BranchesNode>[]> {
  const group = (await provider.getChildren()).find(({ node }) => node.id === 'branches/shared');
  assert.ok(group, 'there is a group of shared branches');
  return provider.getChildren(group);
}

describe('the tree of 5,000 branches', () => {
  it('draws a page of them, and the next one in the same group', async () => {
    const drawn = draw(branches(5000));
    const rows = await shared(drawn);
    assert.equal(rows.length, 201);
    const [last] = rows.slice(-1);
    assert.ok(last);
    assert.equal(drawn.provider.getTreeItem(last).label, 'Load More…');
    drawn.nodes.set(tree(branches(5000), '', 2));
    assert.deepEqual(drawn.events, ['branches/shared']);
    assert.equal((await shared(drawn)).length, 401);
  });

  it('says nothing when a refresh brings the same', () => {
    const drawn = draw(branches(5000));
    drawn.nodes.set(tree(branches(5000)));
    assert.deepEqual(drawn.events, []);
  });

  it('draws the one branch again that moved, as the same element', async () => {
    const drawn = draw(branches(5000));
    const before = await shared(drawn);
    drawn.nodes.set(tree(branches(5000, 'feature/0100')));
    assert.deepEqual(drawn.events, ['branches/shared/feature/0100']);
    assert.deepEqual(await shared(drawn), before);
    const moved = drawn.provider.elementOf('branches/shared/feature/0100');
    assert.ok(moved);
    assert.match(String(drawn.provider.getTreeItem(moved).description), /bbbbbbb/);
    assert.equal(drawn.provider.getTreeItem(moved).id, moved.node.id);
  });

  it('finds one by name among those that are not drawn', async () => {
    const drawn = draw(branches(5000));
    drawn.nodes.set(tree(branches(5000), '4321'));
    const rows = await shared(drawn);
    assert.deepEqual(
      rows.map(({ node }) => node.id),
      ['branches/shared/feature/4321'],
    );
  });

  it('gives a screen reader a sentence for each row', async () => {
    const drawn = draw(branches(3));
    const spoken = (await shared(drawn)).map(
      (element) => drawn.provider.getTreeItem(element).accessibilityInformation?.label,
    );
    assert.deepEqual(spoken, ['feature/0001, shared branch, aaaaaaa', 'feature/0002, shared branch, aaaaaaa']);
  });
});

describe('a tree that loads what is opened', () => {
  it('answers at once what it has, however long loading takes, so that no click is lost', async () => {
    const nodes = new Store<readonly BranchesNode[]>([]);
    const loaded = Promise.withResolvers<void>();
    const provider = new ModelTreeProvider({ nodes, describe: describeBranchesNode, ensure: () => loaded.promise });
    const first = provider.getChildren();
    nodes.set(tree(branches(3)));
    const second = await provider.getChildren();
    assert.deepEqual(
      second.map(({ node }) => node.id),
      ['branches/deploy', 'branches/shared'],
    );
    loaded.resolve();
    assert.deepEqual(await first, second);
  });

  it('is redrawn once for changes that come together: VS Code forgets what was clicked each time', async () => {
    const nodes = new Store<readonly BranchesNode[]>(tree(branches(3)));
    const provider = new ModelTreeProvider({ nodes, describe: describeBranchesNode });
    let events = 0;
    const drawn = new Promise<void>((resolve) => {
      provider.onDidChangeTreeData(() => {
        events += 1;
        resolve();
      });
    });
    nodes.set([]);
    nodes.set(tree(branches(1)));
    nodes.set([]);
    nodes.set(tree(branches(5)));
    await drawn;
    assert.equal(events, 1);
    assert.equal((await provider.getChildren()).length, 2);
  });

  it('keeps what is shown while it reloads, and asks once', async () => {
    const nodes = new Store<readonly BranchesNode[]>(tree(branches(3)));
    let asked = 0;
    const provider = new ModelTreeProvider({
      nodes,
      describe: describeBranchesNode,
      ensure: () => {
        asked += 1;
        return Promise.resolve();
      },
    });
    const first = await provider.getChildren();
    nodes.set(tree(branches(4)));
    const again = await provider.getChildren();
    // The groups are the same elements, so that what is open stays open.
    assert.equal(again[0], first[0]);
    assert.equal(again[1], first[1]);
    assert.equal(asked, 2);
    const [, group] = again;
    assert.ok(group);
    for (const child of await provider.getChildren(group)) assert.equal(provider.getParent(child), group);
  });
});
