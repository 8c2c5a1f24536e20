import { isEqual } from '#base/equal.ts';
import type { DraftBase } from './draft-base.ts';
import { draftProblems } from './draft-problems.ts';
import type { DocumentProblem } from '#shell/env-vars.ts';
import type { MergeConflict } from './merge-json.ts';
import { type DraftLocation, saveDraft } from './save-draft.ts';

/** The value of the document, its proposed merge, and the platform's value. */
export interface Sides {
  readonly mine: unknown;
  readonly merged: unknown;
  readonly theirs: unknown;
}

/** The user's decision about a conflict; `undefined` means that nothing is saved. */
export type ConflictDecision = 'compare' | 'saveMine' | undefined;

export type DecidedSave =
  /** The draft was saved; `shown` is the new value of the document, `undefined` if that is unchanged. */
  | {
      readonly kind: 'saved';
      readonly shown: unknown;
      readonly isMerged: boolean;
      readonly warnings: readonly DocumentProblem[];
    }
  | { readonly kind: 'invalid'; readonly problems: readonly DocumentProblem[] }
  | { readonly kind: 'compare'; readonly sides: Sides }
  | { readonly kind: 'declined' };

/**
 * Saves a draft and asks about conflicts with what others saved meanwhile. It repeats this, because someone may save again before
 * the user decides.
 */
export async function saveDecided(
  location: DraftLocation,
  base: DraftBase,
  mine: unknown,
  decide: (conflicts: readonly MergeConflict[]) => Promise<ConflictDecision>,
): Promise<DecidedSave> {
  let sent = { base: base.value, mine };
  for (;;) {
    const outcome = await saveDraft(location, sent);
    switch (outcome.kind) {
      case 'invalid':
        return outcome;
      case 'saved': {
        const now = outcome.draft ?? mine;
        base.saved(mine, now);
        const warnings = draftProblems(now, now).filter(({ severity }) => severity === 'warning');
        // If the value is the same, the document keeps its text and formatting.
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
