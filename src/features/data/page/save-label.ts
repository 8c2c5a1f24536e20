import type { ResultState } from '#features/data/messages.ts';

/** Returns the label of the button that saves rows: it says where the file would not have all rows of the query. */
export function saveLabel({ phase, isCut }: Pick<ResultState, 'phase' | 'isCut'>): string {
  return phase === 'done' && !isCut ? 'Save as CSV…' : 'Save Loaded Rows as CSV…';
}
