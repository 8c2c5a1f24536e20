import type { Type } from '#model/language/types.ts';
import type { ScalarNode, TreeNode } from '#model/syntax/tree.ts';

/** Replaces lists in a list of names by the text that the engine makes of each of them: `[['a']]` is `['a']`. */
export function withoutNestedLists(node: TreeNode): TreeNode {
  if (node.kind !== 'seq') return node;
  return { ...node, items: node.items.map((item) => item && asName(item)) };
}

/** Returns what the engine makes of a list in place of a name. */
export function asName(node: TreeNode): TreeNode {
  if (node.kind !== 'seq') return node;
  const [only, ...others] = node.items;
  if (node.open) return { kind: 'opaque', start: node.start, end: node.end };
  if (only && others.length === 0) return withoutNull(asName(only));
  const texts = node.items.map((item) => (item?.kind === 'scalar' && item.style !== 'code' ? item.value : undefined));
  const isKnown = texts.every((text) => text !== undefined);
  return isKnown ? text(node, texts.join(',')) : { kind: 'opaque', start: node.start, end: node.end };
}

/** Of `null` and `undefined` in a list, the text is empty. */
function withoutNull(node: TreeNode): TreeNode {
  const isNone = node.kind === 'scalar' && /^(?:plain null|code undefined)$/.test(`${node.style} ${node.value}`);
  return isNone ? text(node, '') : node;
}

/** Returns a name that is not written as such, which is plain in a script (`isPutTogether`). */
function text({ start, end }: TreeNode, value: string): ScalarNode {
  return { kind: 'scalar', start, end, style: 'plain', value };
}

/** Checks for a name in a list of which the engine makes a text each (`evaluated-names.ts`). */
export function isEvaluatedName(type: Type): boolean {
  return type.is === 'text' && /^view(?:Member|Group)?$/.test(type.to ?? '');
}
