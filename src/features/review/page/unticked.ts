import type { ReviewGroup, ReviewRow } from '#features/review/messages.ts';
import { plural } from '#base/words.ts';

/**
 * Returns the next row without a tick, with its group: the first one after `current`, or the first of all. `undefined` if every
 * row that can be ticked is ticked.
 */
export function nextUnticked(
  groups: readonly ReviewGroup[],
  ticked: ReadonlySet<string>,
  current: string | undefined,
): { readonly group: string; readonly row: string } | undefined {
  const rows = groups.flatMap((group) => [
    { group: group.id, row: `group ${group.id}`, isUnticked: false },
    ...group.rows.map(({ id, canTick }) => ({ group: group.id, row: id, isUnticked: canTick && !ticked.has(id) })),
  ]);
  const after = rows.findIndex(({ row }) => row === current) + 1;
  const found = [...rows.slice(after), ...rows].find(({ isUnticked }) => isUnticked);
  return found && { group: found.group, row: found.row };
}

/**
 * Returns `29 of 30 files ticked, 1 deletion is not`; empty if no row can be ticked. Deletions are named, because a file that
 * stays where it should be gone is easily missed.
 */
export function tickSummary(rows: readonly ReviewRow[], ticked: ReadonlySet<string>): string {
  const all = rows.filter(({ canTick }) => canTick);
  if (all.length === 0) return '';
  const unticked = all.filter(({ id }) => !ticked.has(id));
  const deletions = unticked.filter(({ kind }) => kind === 'delete').length;
  const files = `${all.length - unticked.length} of ${plural(all.length, 'file')} ticked`;
  if (deletions === 0 || unticked.length === all.length) return files;
  return `${files}, ${plural(deletions, 'deletion is', 'deletions are')} not`;
}
