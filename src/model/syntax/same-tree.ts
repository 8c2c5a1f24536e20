import type { MapNode, SeqNode, TreeNode } from './tree.ts';

/** Checks whether two trees come from the same code and hold the same. */
export function isSame(first: TreeNode | undefined, second: TreeNode | undefined): boolean {
  if (!first || !second) return first === second;
  if (first.start !== second.start || first.end !== second.end) return false;
  if (first.kind === 'map') return second.kind === 'map' && isSameMap(first, second);
  if (first.kind === 'seq') return second.kind === 'seq' && isSameList(first, second);
  if (first.kind === 'opaque') return second.kind === 'opaque';
  return second.kind === 'scalar' && first.style === second.style && first.value === second.value;
}

function isSameMap(first: MapNode, second: MapNode): boolean {
  if (first.pairs.length !== second.pairs.length || first.open !== second.open) return false;
  return first.pairs.every(({ key, value }, at) => {
    const other = second.pairs[at];
    return key.start === other?.key.start && isSame(value, other.value);
  });
}

function isSameList(first: SeqNode, second: SeqNode): boolean {
  if (first.items.length !== second.items.length || first.open !== second.open) return false;
  return first.items.every((item, at) => isSame(item, second.items[at]));
}
