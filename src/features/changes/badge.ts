import type { ChangeGroupNode, ChangesNode } from './change-nodes.ts';

/**
 * Returns the number of files in all groups with a tooltip; `undefined` if there are none. Files that are not synced do not
 * count.
 */
export function badgeOf(
  nodes: readonly ChangesNode[],
): { readonly value: number; readonly tooltip: string } | undefined {
  const groups = nodes
    .flatMap((node) => (node.kind === 'link' ? node.children : [node]))
    .filter((node): node is ChangeGroupNode => node.kind === 'group' && node.group !== 'frozen');
  const counted = (Object.keys(badgeLabels) as (keyof typeof badgeLabels)[]).map((group) => ({
    group,
    count: groups.filter((node) => node.group === group).reduce((sum, { count }) => sum + count, 0),
  }));
  const value = counted.reduce((sum, { count }) => sum + count, 0);
  const tooltip = counted
    .filter(({ count }) => count > 0)
    .map(({ group, count }) => `${count} ${badgeLabels[group]}`)
    .join(', ');
  return value === 0 ? undefined : { value, tooltip };
}

const badgeLabels = { conflicts: 'in conflict', local: 'to push', commit: 'to commit', remote: 'incoming' } as const;
