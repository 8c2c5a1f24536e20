import { smallest } from '#base/long-lists.ts';
import { type LineChange, lineChanges, mergeLines } from '#base/merge-lines.ts';
import type { ProposalRecords, AcceptedStep } from './proposal-records.ts';

/** A proposed text, with the version of the file that it is based on. */
export interface ProposedText {
  /** `undefined`: there was no such file. */
  readonly base: string | undefined;
  readonly text: string;
  /** Ids that a patch removes explicitly. */
  readonly removed: readonly string[];
}

/** Merges the proposal into the current file and keeps the file's own lines at conflicts. The end of the file stays unchanged. */
export function mergedInto(
  now: string | undefined,
  { base, text }: ProposedText,
): { readonly text: string; readonly conflicts: number } {
  if (now === undefined) return { text, conflicts: base === undefined ? 0 : 1 };
  const result = mergeLines(ended(base ?? ''), ended(now), ended(text), 'mine');
  const hasEnd = now === '' || now.endsWith('\n');
  return { ...result, text: hasEnd ? result.text : result.text.replace(/\n$/, '') };
}

/** Returns the change with the fewest changed lines, out of one per version that the agent may have seen. */
export function smallestChange<T extends ProposedText>(changes: readonly T[]): T | undefined {
  const distances = changes.map(({ base, text }) => {
    const { added, removed } = countsOf(lineChanges(base ?? '', text));
    return added + removed;
  });
  return changes[distances.indexOf(smallest(distances))];
}

/** Returns the lines that one version adds to another; `undefined` if it changes or removes any. */
export function addedLines(before: string, after: string): string | undefined {
  const changes = lineChanges(before, after);
  return changes.every(({ start, end }) => start === end)
    ? changes
        .flatMap(({ lines }) => lines)
        .toSorted()
        .join('')
    : undefined;
}

/** Counts the added and removed lines. */
export function countsOf(changes: readonly LineChange[]): { readonly added: number; readonly removed: number } {
  return {
    added: changes.reduce((sum, { lines }) => sum + lines.length, 0),
    removed: changes.reduce((sum, { start, end }) => sum + end - start, 0),
  };
}

/** A file after accepted changes were taken out. `text`: `undefined` if the file is deleted. */
export type TakenBack =
  | { readonly kind: 'clean'; readonly text: string | undefined }
  | { readonly kind: 'conflict'; readonly base: string; readonly mine: string; readonly theirs: string }
  /** The texts are no longer stored, or the file has diverged since. */
  | { readonly kind: 'impossible' };

/** Takes accepted steps out of a file, the last one first. A file that a step created is only deleted if it is unchanged. */
export async function takenBack(
  records: ProposalRecords,
  steps: readonly AcceptedStep[],
  now: string | undefined,
): Promise<TakenBack> {
  let text = now;
  for (const step of steps.toReversed()) {
    const after = await records.text(step.after);
    const before = step.before === null ? undefined : await records.text(step.before);
    if (after === undefined || (before === undefined && step.before !== null)) return { kind: 'impossible' };
    if (before === text) continue;
    if (text === undefined || (before === undefined && text !== after)) return { kind: 'impossible' };
    if (before === undefined) {
      text = undefined;
      continue;
    }
    const back = mergeLines(after, text, before);
    if (back.conflicts > 0) return { kind: 'conflict', base: after, mine: text, theirs: before };
    text = back.text;
  }
  return { kind: 'clean', text };
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
