import type { TreeItemSpec, TreeNode } from '#shell/tree-item.ts';

/** Draws a tree as indented lines: `label (description) [context]`. */
export function drawn<N extends TreeNode>(
  nodes: readonly N[],
  describe: (node: N) => TreeItemSpec,
  indent = '',
): string[] {
  return nodes.flatMap((node) => {
    const { label, description, contextValue } = describe(node);
    const line = `${indent}${label}${description ? ` (${description})` : ''} [${contextValue ?? ''}]`;
    return [line, ...drawn((node.children ?? []) as readonly N[], describe, `${indent}  `)];
  });
}
