import type { Problem } from '../codes.ts';
import { type ScalarNode, scalarType, type SeqNode, type TreeNode } from '../syntax/tree.ts';
import type { Site } from '../typed.ts';
import { isUndefined } from './script-values.ts';
import { wrongType } from './wrong-type.ts';

/** Checks a parent or a join path: a script passes the cube that it extends, not its name, and a join path is one value. */
export function checkParent(site: Site, node: TreeNode): Problem[] {
  const { key, parent } = site;
  if (key === 'extends' && isNoCube(node)) return [wrongType(node, 'the cube itself')];
  if (node.kind === 'seq') return checkItemsOf(node, site);
  if (node.kind !== 'scalar' || node.style === 'code') return [];
  const kind = scalarType(node);
  if (kind === 'null') return resolvesLate(parent) ? [] : [wrongType(node, 'a reference')];
  return key === 'extends' && kind === 'string' ? [namedParent(node)] : [];
}

/** Checks a list in place of one reference: the engine reads each of its items, but takes no list for a join path. */
function checkItemsOf(node: SeqNode, { key, pair, parent }: Site): Problem[] {
  if (key === 'join_path') return [wrongType(node, 'a reference')];
  const missing = node.items.find((item) => isMissing(item, key));
  return missing && pair && !resolvesLate(parent) ? [missingItem(missing)] : [];
}

/** Checks for a value of which the engine cannot make a cube to inherit from; `null` and texts have their own checks. */
function isNoCube(node: TreeNode): boolean {
  return node.kind !== 'scalar' || (node.style !== 'code' && /number|boolean/.test(scalarType(node)));
}

/** Checks for an item of a list in place of one reference that the engine cannot read. */
function isMissing(item: TreeNode | undefined, key: string | undefined): boolean {
  if (item === undefined) return false;
  if (isHole(item)) return key !== 'member' && key !== 'time_dimension';
  return isUndefined(item) || isNull(item);
}

/** Returns the problem of a script that passes the extended cube's name instead of the cube. */
function namedParent(node: ScalarNode): Problem {
  const name = /^(?:\$\{)?(\w+)\}?$/.exec(node.value)?.[1];
  const fix =
    name === undefined
      ? undefined
      : { title: `Change to \`${name}\``, start: node.start, end: node.end, text: name, sure: true };
  return { ...wrongType(node, `the cube itself: \`extends: ${name ?? 'name'}\``), fix };
}

/** Checks for what is missing between two commas. */
export function isHole(item: TreeNode): boolean {
  return isUndefined(item) && item.end === item.start + 1;
}

/** Returns the problem of an item that is `null` or `undefined`. */
export function missingItem(node: TreeNode): Problem {
  const what = isNull(node) ? 'null' : 'undefined';
  return { ...wrongType(node, ''), message: `This item of the list is \`${what}\`: remove it.` };
}

/** Checks for references that the engine resolves only when a query needs them. */
export function resolvesLate(parent: Site | undefined): boolean {
  // The only reference directly in a case is its switch.
  if (parent?.shape === 'case') return true;
  return LOOSE_REFERENCES.has((parent?.node.kind === 'seq' ? parent.parent : parent)?.shape ?? '');
}

/** Shapes whose references the engine resolves only when a query needs them. */
export const LOOSE_REFERENCES = new Set([
  'preAggregation',
  'index',
  'timeDimension',
  'outputColumn',
  'policyCondition',
]);

/** Checks for `null`. */
export function isNull(node: TreeNode): boolean {
  return node.kind === 'scalar' && scalarType(node) === 'null';
}
