import type { Problem } from '../codes.ts';
import { type ScalarNode, scalarType, type TreeNode } from '../syntax/tree.ts';

/** Returns the problem of a value of another type than the language expects. */
export function wrongType(node: TreeNode, expected: string): Problem {
  const end = node.kind === 'scalar' ? node.end : Math.min(node.end, node.start + 1);
  return { code: 'wrong-type', start: node.start, end, message: `This must be ${expected}.` };
}

/** Checks for a value that the engine reads as missing where a list is allowed. */
export function isNothing(node: TreeNode | undefined): boolean {
  if (!node) return true;
  if (node.kind !== 'scalar') return false;
  const type = scalarType(node);
  return (
    type === 'null' ||
    node.value === '' ||
    (type === 'boolean' && node.value.toLowerCase() === 'false') ||
    (type === 'number' && (Number(node.value) === 0 || /^\.nan$/i.test(node.value)))
  );
}

/** Lists that the engine ignores when they are empty, whatever has them. */
export const PASSED_OVER: ReadonlySet<string> = new Set([
  'granularities',
  'indexes',
  'time_shift',
  'cubes',
  'access_policy',
]);

/** Checks for a text of a script that is computed at run time. */
export function isComputedText({ style, value }: ScalarNode): boolean {
  return style === 'template' && value.includes('${');
}
