import type { MemberSymbol } from './symbols.ts';
import { findPair, isDynamic, type ScalarNode, type TreeNode } from './syntax/tree.ts';

/** Returns the values of a switch dimension; undefined if they are not written out. */
export function switchValues(member: MemberSymbol): readonly string[] | undefined {
  if (member.isOpen || member.text('type') !== 'switch') return undefined;
  const list = findPair(member.node, 'values')?.value;
  if (list?.kind !== 'seq' || list.open) return undefined;
  const values = list.items.map((item) => (isWrittenText(item) ? item.value : undefined));
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** Checks for a text written literally in the model. */
export function isWrittenText(node: TreeNode | undefined): node is ScalarNode {
  return node?.kind === 'scalar' && node.style !== 'code' && !isDynamic(node.value);
}
