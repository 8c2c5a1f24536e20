import { isEqual } from '#base/equal.ts';
import type { DraftBase } from './draft-base.ts';
import { type DraftProblem, draftProblems } from './draft-problems.ts';
import type { MergeConflict } from './merge-json.ts';
import { type DraftLocation, saveDraft } from './save-draft.ts';

/** What the document says, what it is going to say, and what the platform has. */
export interface Sides {
  readonly mine: unknown;
  readonly merged: unknown;
  readonly theirs: unknown;
}

/** What a user wants where they and someone else changed the same; `undefined`: nothing is saved. */
export type Decision = 'compare' | 'saveMine' | undefined;

export type DecidedSave =
  /** The draft is on the platform; `shown` is what the document should say, `undefined` where it says the same already. */
  | {
      readonly kind: 'saved';
      readonly shown: unknown;
      readonly isMerged: boolean;
      readonly warnings: readonly DraftProblem[];
    }
  | { readonly kind: 'invalid'; readonly problems: readonly DraftProblem[] }
  | { readonly kind: 'compare'; readonly sides: Sides }
  | { readonly kind: 'declined' };

/** Saves a draft, asking about each conflict with what others saved meanwhile: someone may be quicker a second time. */
export async function saveDecided(
  place: DraftLocation,
  base: DraftBase,
  mine: unknown,
  decide: (conflicts: readonly MergeConflict[]) => Promise<Decision>,
): Promise<DecidedSave> {
  let sent = { base: base.value, mine };
  for (;;) {
    const outcome = await saveDraft(place, sent);
    switch (outcome.kind) {
      case 'invalid':
        return outcome;
      case 'saved': {
        const now = outcome.draft ?? mine;
        base.saved(mine, now);
        const warnings = draftProblems(now, now).filter(({ severity }) => severity === 'warning');
        // The text stays as it was written where it says the same.
        return { kind: 'saved', shown: isEqual(now, mine) ? undefined : now, isMerged: outcome.merged, warnings };
      }
      default: {
        const { conflicts, merged, theirs } = outcome;
        const decision = await decide(conflicts);
        if (decision === undefined) return { kind: 'declined' };
        if (decision === 'compare') return { kind: 'compare', sides: { mine, merged, theirs } };
        sent = { base: theirs, mine: merged };
      }
    }
  }
}
