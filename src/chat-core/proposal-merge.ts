import { type LineChange, lineChanges, mergeLines } from '#base/merge-lines.ts';
import type { ProposalRecords, Step } from './proposal-records.ts';

/** What an answer makes of the version of a file that it was made from. */
export interface ProposedText {
  /** `undefined`: there was no such file. */
  readonly base: string | undefined;
  readonly text: string;
  /** Ids of what a patch removes by name. */
  readonly removed: readonly string[];
}

/** The proposal merged into the file as it is now, with the file's own lines at conflicts. A file keeps the end that it has. */
export function mergedInto(
  now: string | undefined,
  { base, text }: ProposedText,
): { readonly text: string; readonly conflicts: number } {
  if (now === undefined) return { text, conflicts: base === undefined ? 0 : 1 };
  const result = mergeLines(ended(base ?? ''), ended(now), ended(text), 'mine');
  const hasEnd = now === '' || now.endsWith('\n');
  return { ...result, text: hasEnd ? result.text : result.text.replace(/\n$/, '') };
}

/** Of the versions that the agent may have seen, the one that it changed least. */
export function nearest<T extends ProposedText>(changes: readonly T[]): T | undefined {
  const distances = changes.map(({ base, text }) => {
    const { added, removed } = countsOf(lineChanges(base ?? '', text));
    return added + removed;
  });
  return changes[distances.indexOf(Math.min(...distances))];
}

/** The lines that one version adds to another; `undefined` where it does more than that. */
export function addedLines(before: string, after: string): string | undefined {
  const changes = lineChanges(before, after);
  return changes.every(({ start, end }) => start === end)
    ? changes
        .flatMap(({ lines }) => lines)
        .toSorted()
        .join('')
    : undefined;
}

/** How many lines come and go. */
export function countsOf(changes: readonly LineChange[]): { readonly added: number; readonly removed: number } {
  return {
    added: changes.reduce((sum, { lines }) => sum + lines.length, 0),
    removed: changes.reduce((sum, { start, end }) => sum + end - start, 0),
  };
}

/** A file without what was accepted. `text`: `undefined` where the file goes. */
export type TakenBack =
  | { readonly kind: 'clean'; readonly text: string | undefined }
  | { readonly kind: 'conflict'; readonly base: string; readonly mine: string; readonly theirs: string }
  /** The texts are no longer kept, or the file went another way since. */
  | { readonly kind: 'impossible' };

/** Takes accepted steps out of a file, the last one first. A file that a step made goes only if it is as it was made. */
export async function takenBack(
  records: ProposalRecords,
  steps: readonly Step[],
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
