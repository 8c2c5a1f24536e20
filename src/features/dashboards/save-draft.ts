import { isPlatformError } from '#api/errors.ts';
import { isEqual } from '#base/equal.ts';
import { isObject } from '#api/schema.ts';
import { type DraftProblem, draftProblems } from './draft-problems.ts';
import { type MergeConflict, merge3Json } from './merge-json.ts';

/** The draft's one place on the platform; `undefined`: there is none yet. */
export interface DraftLocation {
  read(): Promise<unknown>;
  /** Answers the draft that the platform has then. */
  write(draft: unknown): Promise<unknown>;
}

export type SaveOutcome =
  | { readonly kind: 'saved'; readonly draft: unknown; readonly merged: boolean }
  /** Nothing was sent. */
  | { readonly kind: 'invalid'; readonly problems: readonly DraftProblem[] }
  /** Nothing was sent: `merged` has both sides' changes and mine where they conflict. */
  | {
      readonly kind: 'conflicts';
      readonly conflicts: readonly MergeConflict[];
      readonly merged: unknown;
      readonly theirs: unknown;
    };

/**
 * Saves a draft (docs/platform-api.md#updateworkbookdashboard): checks it, merges it with what others saved since `base` was
 * read, and replaces the platform's. There is no conditional PUT: what others save between the read and the PUT is replaced,
 * unless the server refuses it as a conflict; then the newer draft is merged as well.
 */
export async function saveDraft(
  place: DraftLocation,
  { base, mine }: { readonly base: unknown; readonly mine: unknown },
): Promise<SaveOutcome> {
  const problems = errorsOf(mine, base);
  if (problems.length > 0) return { kind: 'invalid', problems };
  const theirs = await place.read();
  const written = async (draft: unknown, merged: boolean): Promise<SaveOutcome> => {
    try {
      return { kind: 'saved', draft: await place.write(draft), merged };
    } catch (error) {
      // The same draft again: it is not a newer one that the server objects to.
      if (!isPlatformError(error, 'conflict') || isEqual(await place.read(), theirs)) throw error;
      return saveDraft(place, { base, mine });
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

const errorsOf = (draft: unknown, ...served: readonly unknown[]): readonly DraftProblem[] =>
  draftProblems(draft, ...served).filter(({ severity }) => severity === 'error');

/** Half of one side's rectangle with half of the other's is a position that neither user chose. */
function isPosition(value: unknown): boolean {
  return isObject(value) && ['x', 'y', 'w', 'h'].every((key) => typeof value[key] === 'number');
}
