import { plural } from '#base/words.ts';
import { filesIn } from './change-groups.ts';
import type { ChangeGroup, ChangeGroupNode, ChangesNode } from './change-nodes.ts';

/**
 * Returns the number of files that wait for the user with a tooltip; `undefined` if there are none. A file counts once, in the
 * first of its groups, even if it is in conflict, to commit and incoming at once. Files that are not synced do not count, and the
 * changes of a branch count once, however many folders are on it.
 */
export function badgeOf(
  nodes: readonly ChangesNode[],
): { readonly value: number; readonly tooltip: string } | undefined {
  const counts = { conflicts: 0, local: 0, commit: 0, remote: 0 };
  const seen = new Set<string>();
  for (const { group, files, keys } of inOrder(nodes.flatMap(rowsOf))) {
    const [own = ''] = keys;
    if (!seen.has(own)) counts[group] += files;
    for (const key of keys) seen.add(key);
  }
  const found = groups.filter((group) => counts[group] > 0);
  const value = found.reduce((sum, group) => sum + counts[group], 0);
  const details = found.map((group) => `${counts[group]} ${badgeLabels[group]}`).join(', ');
  return value === 0 ? undefined : { value, tooltip: `${plural(value, 'file')}: ${details}` };
}

interface CountedRow {
  readonly group: Exclude<ChangeGroup, 'frozen'>;
  readonly files: number;
  /** Whether the row is about the branch, not about a folder. */
  readonly isOfBranch: boolean;
  /** The key of its file; a row of a folder also stands for the file of the branch. */
  readonly keys: readonly string[];
}

/** Returns the rows of one linked folder that stand for files. */
function rowsOf(node: ChangesNode): readonly CountedRow[] {
  const branch = node.kind === 'link' ? JSON.stringify([node.deployment, node.branch]) : '';
  return (node.kind === 'link' ? node.children : [node]).flatMap((group) =>
    group.kind !== 'group' || group.group === 'frozen'
      ? []
      : group.children.flatMap((row) => countedRow(branch, group, group.group as CountedRow['group'], row)),
  );
}

function countedRow(
  branch: string,
  { folderId }: ChangeGroupNode,
  group: CountedRow['group'],
  row: ChangeGroupNode['children'][number],
): readonly CountedRow[] {
  const files = filesIn(row);
  if (files === 0) return [];
  const isOfBranch = row.kind === 'branchChange' || (row.kind === 'notice' && group === 'commit');
  const name = 'path' in row ? row.path : `rest of ${group}`;
  const ofBranch = `branch ${branch} ${name}`;
  // Each folder has its own copy of a file.
  return [{ group, files, isOfBranch, keys: isOfBranch ? [ofBranch] : [`folder ${folderId} ${name}`, ofBranch] }];
}

/** Returns the rows with the most urgent ones first, and those of folders before those of their branch. */
function inOrder(rows: readonly CountedRow[]): readonly CountedRow[] {
  const rank = ({ group, isOfBranch }: CountedRow): number => groups.indexOf(group) + (isOfBranch ? groups.length : 0);
  return rows.toSorted((a, b) => rank(a) - rank(b));
}

const badgeLabels = { conflicts: 'in conflict', local: 'to push', commit: 'to commit', remote: 'incoming' } as const;
const groups = ['conflicts', 'local', 'commit', 'remote'] as const;
