import { isEqual } from '#base/equal.ts';
import type { TreeNode } from './tree-item.ts';

/**
 * Returns the nodes that a view must redraw to get from one model to the next: the topmost changed node of each branch, never its
 * unchanged siblings. Returns `'all'` if the top level gained, lost or moved a node.
 */
export function changedNodes<N extends TreeNode>(before: readonly N[], after: readonly N[]): readonly N[] | 'all' {
  if (!sameIds(before, after)) return 'all';
  const changed: N[] = [];
  after.forEach((node, index) => collect(before[index] as N, node, changed));
  return changed;
}

function collect<N extends TreeNode>(before: N, after: N, changed: N[]): void {
  if (before === after) return;
  const children = after.children as readonly N[] | undefined;
  const former = before.children as readonly N[] | undefined;
  if (!ownFieldsEqual(before, after) || (children === undefined) !== (former === undefined)) {
    changed.push(after);
    return;
  }
  if (!children || !former) return;
  if (!sameIds(former, children)) {
    changed.push(after);
    return;
  }
  children.forEach((child, index) => collect(former[index] as N, child, changed));
}

function sameIds(before: readonly TreeNode[], after: readonly TreeNode[]): boolean {
  return before.length === after.length && before.every((node, index) => node.id === after[index]?.id);
}

function ownFieldsEqual(before: TreeNode, after: TreeNode): boolean {
  const keys = Object.keys(after);
  if (keys.length !== Object.keys(before).length) return false;
  return keys.every(
    (key) => key === 'children' || isEqual(before[key as keyof TreeNode], after[key as keyof TreeNode]),
  );
}
