import type { Problem } from '../codes.ts';
import { type ScalarNode, scalarType, type TreeNode } from '../syntax/tree.ts';

/** A value of another kind than the language wants in its place. */
export function wrongType(node: TreeNode, expected: string): Problem {
  const end = node.kind === 'scalar' ? node.end : Math.min(node.end, node.start + 1);
  return { code: 'wrong-type', start: node.start, end, message: `This must be ${expected}.` };
}

/** What the engine takes for nothing at all where a list may stand. */
export function isNothing(node: TreeNode | undefined): boolean {
  if (!node) return true;
  if (node.kind !== 'scalar') return false;
  const type = scalarType(node);
  return (
    type === 'null' ||
    node.value === '' ||
    (type === 'boolean' && node.value.toLowerCase() === 'false') ||
    (type === 'number' && Number(node.value) === 0)
  );
}

/** Lists of a member that are passed over when there is nothing in them, whatever the type of the member. */
export const PASSED_OVER: ReadonlySet<string> = new Set(['granularities', 'indexes', 'time_shift', 'cubes']);

/** A text of a script that is put together when it runs. */
export function isTemplate({ style, value }: ScalarNode): boolean {
  return style === 'template' && value.includes('${');
}
