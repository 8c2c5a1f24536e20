import type { AnyNode, CallExpression } from 'acorn';

/** Returns what a name holds; undefined if that is not known. */
type Held = (name: string) => AnyNode | undefined;

/** Maximum number of constants and calls in each other. */
const DEEPEST = 8;
const LISTING = new Set(['keys', 'values', 'entries']);

/** Checks for a list that certainly has an item: written out, in a constant, or of the keys of such an object. */
export function isFilledList(node: AnyNode, held: Held, depth = 0): boolean {
  if (depth > DEEPEST) return false;
  if (node.type === 'ArrayExpression')
    return node.elements.some((item) => item !== null && item.type !== 'SpreadElement');
  if (node.type === 'CallExpression') return isFilledByCall(node, held, depth + 1);
  const value = node.type === 'Identifier' ? held(node.name) : undefined;
  return value !== undefined && isFilledList(value, held, depth + 1);
}

function isFilledByCall({ callee, arguments: given }: CallExpression, held: Held, depth: number): boolean {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false;
  const { object, property } = callee;
  if (object.type !== 'Identifier' || object.name !== 'Object')
    return property.name === 'map' && isFilledList(object, held, depth);
  const [first] = given;
  return LISTING.has(property.name) && first !== undefined && isFilledObject(first, held);
}

function isFilledObject(node: AnyNode, held: Held): boolean {
  const value = node.type === 'Identifier' ? held(node.name) : node;
  return value?.type === 'ObjectExpression' && value.properties.some(({ type }) => type === 'Property');
}
