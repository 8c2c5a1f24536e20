import type { Type } from '../language/types.ts';
import type { Value } from '#model/syntax/script/value.ts';
import type { MapNode, Pair, TreeNode } from './tree.ts';

/**
 * Groups of members that are functions: the engine reads an object of members and calls nothing, so a function in its place has none
 * of the members that it would return.
 */

/** Empties the groups of a definition that are functions. */
export function withoutFunctions(definition: MapNode): MapNode {
  const isRead = ({ key, value }: Pair): boolean => !GROUPS.has(key.value) || !isFunction(value);
  if (definition.pairs.every(isRead)) return definition;
  const pairs = definition.pairs.map((pair) =>
    pair.value && !isRead(pair) ? { ...pair, value: noMembers(pair.value) } : pair,
  );
  return { ...definition, pairs };
}

/** Returns the members of a value in place of a group if it is a function, which has none; undefined for other values. */
export function membersOfFunction(value: Value, type: Type): MapNode | undefined {
  const isGroup = type.is === 'members' && SHAPES.has(type.shape);
  return isGroup && value.is === 'function' ? noMembers(value.node) : undefined;
}

const GROUPS: ReadonlySet<string> = new Set(['dimensions', 'measures', 'segments']);
const SHAPES: ReadonlySet<string> = new Set(['dimension', 'measure', 'segment']);

/** Checks for a value that is certainly a function. */
function isFunction(node: TreeNode | undefined): boolean {
  if (!node) return false;
  if (node.kind !== 'opaque' && node.isResult) return true;
  return (node.kind === 'opaque' || node.kind === 'scalar') && node.yields === 'function';
}

function noMembers({ start, end }: { readonly start: number; readonly end: number }): MapNode {
  return { kind: 'map', start, end, flow: true, pairs: [], open: false, isResult: true };
}
