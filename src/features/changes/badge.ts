import type { ChangeGroupNode, ChangesNode } from './change-nodes.ts';

/**
 * Returns the number of files in all groups with a tooltip; `undefined` if there are none. Files that are not synced do not count,
 * and the changes of a branch count once, however many folders are on it.
 */
export function badgeOf(
  nodes: readonly ChangesNode[],
): { readonly value: number; readonly tooltip: string } | undefined {
  const counts = { conflicts: 0, local: 0, commit: 0, remote: 0 };
  const seen = new Set<string>();
  for (const node of nodes) {
    const rows = node.kind === 'link' ? node.children : [node];
    const branch = node.kind === 'link' ? JSON.stringify([node.deployment, node.branch]) : undefined;
    for (const row of rows)
      if (row.kind === 'group' && row.group !== 'frozen')
        counts[row.group] += branch !== undefined && seen.has(branch) ? ofFolder(row) : row.count;
    if (branch !== undefined) seen.add(branch);
  }
  const found = groups.filter((group) => counts[group] > 0);
  const value = found.reduce((sum, group) => sum + counts[group], 0);
  return value === 0
    ? undefined
    : { value, tooltip: found.map((group) => `${counts[group]} ${badgeLabels[group]}`).join(', ') };
}

/** Returns the number of files of the folder itself, without those in which its branch and the parent differ. */
function ofFolder({ children, count, group }: ChangeGroupNode): number {
  return group === 'commit' ? 0 : count - children.filter(({ kind }) => kind === 'branchChange').length;
}

const badgeLabels = { conflicts: 'in conflict', local: 'to push', commit: 'to commit', remote: 'incoming' } as const;
const groups = ['conflicts', 'local', 'commit', 'remote'] as const;
