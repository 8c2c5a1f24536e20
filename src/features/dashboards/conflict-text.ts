import type { MergeConflict } from './merge-json.ts';

const shownConflicts = 8;

/** Returns the conflicts, one per line, for the question which side to keep. */
export function conflictText(conflicts: readonly MergeConflict[]): string {
  const lines = conflicts.slice(0, shownConflicts).map(({ path, mine, theirs }) => {
    return `${path === '' ? 'The whole dashboard' : path}: mine ${short(mine)}, theirs ${short(theirs)}`;
  });
  const more = conflicts.length - lines.length;
  return [
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
    '',
    'All other changes from both sides are merged.',
  ].join('\n');
}

function short(value: unknown): string {
  if (value === undefined) return '(removed)';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
