import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branchTree } from '#features/branches/branch-tree.ts';
import { changedNodes } from '#shell/tree-diff.ts';
import type { TreeNode } from '#shell/tree-item.ts';
import { adaInput, branch } from '#support/branch-tree.ts';

describe('what a view draws again', () => {
  it('includes nothing when nothing changed', () => {
    expect(changedNodes(branchTree(adaInput), branchTree({ ...adaInput }))).toEqual([]);
  });

  it('includes the one node that changed', () => {
    const builds = new Map([['main', { phase: 'built', errorText: undefined, at: 0 } as const]]);
    const before = branchTree({ ...adaInput, builds: new Map() });
    const changed = changedNodes(before, branchTree({ ...adaInput, builds }));
    expect(changed === 'all' ? changed : changed.map(({ id }) => id)).toEqual(['branches/deploy/main']);
  });

  it('includes the group that gained a branch, and everything when a group came', () => {
    const more = [...(adaInput.branches ?? []), branch('pricing', 'main')];
    const changed = changedNodes(branchTree(adaInput), branchTree({ ...adaInput, branches: more }));
    expect(changed === 'all' ? changed : changed.map(({ id }) => id)).toEqual(['branches/shared']);
    expect(changedNodes(branchTree({ ...adaInput, branches: [branch('main')] }), branchTree(adaInput))).toBe('all');
  });

  it('always leads from one model to the other', () => {
    const names = fc.uniqueArray(fc.constantFrom('main', 'a', 'b', 'c', 'dev-x', 'dev-y', 'dev-ada-1'));
    const model = names.map((list) =>
      branchTree({ ...adaInput, branches: list.map((name) => branch(name, name === 'main' ? undefined : 'main')) }),
    );
    const seen = (
      nodes: readonly TreeNode[],
      old: ReadonlyMap<string, TreeNode>,
      fresh: ReadonlySet<string>,
    ): string[] =>
      nodes.flatMap((node) => {
        const shown = fresh.has(node.id) ? node : (old.get(node.id) ?? node);
        const inner = fresh.has(node.id) ? new Set((node.children ?? []).map(({ id }) => id)) : fresh;
        const children = fresh.has(node.id) ? node.children : (node.children ?? []);
        return [
          JSON.stringify({ ...shown, children: undefined }),
          ...seen(children ?? [], old, new Set([...fresh, ...inner])),
        ];
      });
    fc.assert(
      fc.property(model, model, (before, after) => {
        const changed = changedNodes(before, after);
        const flat = (nodes: readonly TreeNode[]): [string, TreeNode][] =>
          nodes.flatMap((node) => [[node.id, node] as [string, TreeNode], ...flat(node.children ?? [])]);
        const fresh = changed === 'all' ? flat(after).map(([id]) => id) : changed.map(({ id }) => id);
        const drawnNow = seen(after, new Map(flat(before)), new Set(fresh));
        expect(drawnNow).toEqual(flat(after).map(([, node]) => JSON.stringify({ ...node, children: undefined })));
      }),
    );
  });

  it('keeps ids unique', () => {
    const ids = (nodes: readonly TreeNode[]): string[] =>
      nodes.flatMap((node) => [node.id, ...ids(node.children ?? [])]);
    const all = ids(branchTree(adaInput));
    expect(new Set(all).size).toBe(all.length);
  });
});
