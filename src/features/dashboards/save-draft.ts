import { isPlatformError } from '#api/errors.ts';
import { isEqual } from '#base/equal.ts';
import { isObject } from '#api/schema.ts';
import { draftProblems } from './draft-problems.ts';
import type { DocumentProblem } from '#shell/env-vars.ts';
import { type MergeConflict, merge3Json } from './merge-json.ts';

/** Reads and writes the draft on the platform; `undefined`: there is none yet. */
export interface DraftLocation {
  read(): Promise<unknown>;
  /** Resolves to the draft that the platform has then. */
  write(draft: unknown): Promise<unknown>;
}

export type SaveOutcome =
  | { readonly kind: 'saved'; readonly draft: unknown; readonly merged: boolean }
  /** Nothing was sent. */
  | { readonly kind: 'invalid'; readonly problems: readonly DocumentProblem[] }
  /** Nothing was sent: `merged` has the changes of both sides, and mine where they conflict. */
  | {
      readonly kind: 'conflicts';
      readonly conflicts: readonly MergeConflict[];
      readonly merged: unknown;
      readonly theirs: unknown;
    };

/**
 * Saves a draft (docs/platform-api.md#updateworkbookdashboard): checks it, merges it with what others saved since `base` was
 * read, and replaces the platform's. The API has no conditional PUT, so what others save between the read and the PUT is
 * replaced, unless the server refuses the PUT as a conflict; then the newer draft is merged too.
 */
export async function saveDraft(
  location: DraftLocation,
  { base, mine }: { readonly base: unknown; readonly mine: unknown },
): Promise<SaveOutcome> {
  const problems = errorsOf(mine, base);
  if (problems.length > 0) return { kind: 'invalid', problems };
  const theirs = await location.read();
  const written = async (draft: unknown, merged: boolean): Promise<SaveOutcome> => {
    try {
      return { kind: 'saved', draft: await location.write(draft), merged };
    } catch (error) {
      // If the platform still has the same draft, the conflict is not about a newer one.
      if (!isPlatformError(error, 'conflict') || isEqual(await location.read(), theirs)) throw error;
      return saveDraft(location, { base, mine });
    }
  };
  if (isEqual(theirs, base)) return written(mine, false);
  const { value, conflicts } = merge3Json(base, mine, theirs, { isWhole: isPosition });
  if (conflicts.length > 0) return { kind: 'conflicts', conflicts, merged: value, theirs };
  const broken = errorsOf(value, base, theirs);
  if (broken.length > 0) return { kind: 'invalid', problems: broken };
  // Both sides may have made the same change.
  return isEqual(value, theirs) ? { kind: 'saved', draft: theirs, merged: true } : written(value, true);
}

const errorsOf = (draft: unknown, ...served: readonly unknown[]): readonly DocumentProblem[] =>
  draftProblems(draft, ...served).filter(({ severity }) => severity === 'error');

/** Whether an object is a position: a mix of both sides' rectangles would be one that neither user chose. */
function isPosition(value: unknown): boolean {
  return isObject(value) && ['x', 'y', 'w', 'h'].every((key) => typeof value[key] === 'number');
}
