import type { AnyNode, Identifier, MemberExpression } from 'acorn';
import type { Segment } from '#model/expressions/segment.ts';

/** A path in code: `CUBE.users`, `CUBE?.['users']`. */
export interface MemberPath {
  readonly head: Identifier;
  readonly names: readonly Segment[];
}

/** Returns the path that an expression is; undefined if it is something else. */
export function memberPath(node: AnyNode): MemberPath | undefined {
  if (node.type === 'Identifier') return { head: node, names: [] };
  if (node.type === 'ChainExpression') return memberPath(node.expression);
  if (node.type !== 'MemberExpression' || node.object.type === 'Super') return undefined;
  const before = memberPath(node.object);
  const name = before && nameOf(node);
  return name && { ...before, names: [...before.names, name] };
}

function nameOf({ property, computed }: MemberExpression): Segment | undefined {
  if (property.type === 'Identifier' && !computed)
    return { text: property.name, start: property.start, end: property.end };
  if (property.type !== 'Literal' || typeof property.value !== 'string') return undefined;
  return { text: property.value, start: property.start + 1, end: property.end - 1 };
}
