import { text } from '#base/user-text.ts';
import { plural } from '#base/words.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';
import { type GitAttempt, openFiles, stepText } from './git-attempt.ts';
import type { MergeOptions } from './git-workflow.ts';

/** The steps as a user takes them; each answers whether it went through. */
export interface Steps {
  readonly pull: () => Promise<boolean>;
  /** A commit of which nothing is left counts as gone through. */
  readonly commit: (message: ContinuedMessage) => Promise<boolean>;
  readonly merge: (options: MergeOptions | undefined) => Promise<void>;
  readonly mergeToDefault: (asked: Pick<GitAttempt, 'typed' | 'removesBranch'>) => Promise<void>;
}

/** The message of a commit that continues: as it was typed for it, or one that the user is offered. */
export type ContinuedMessage = { readonly typed: string } | { readonly suggested: string };

/**
 * Continues a step that stopped: brings the other branch in where that is missing, then does what was asked for, with the
 * message that was typed for it. Throws `Hint` where files are still in conflict.
 */
export async function continueStep(attempt: GitAttempt, target: BranchTarget, steps: Steps): Promise<void> {
  requireResolved(attempt);
  const { step, from, files, isBehind = false, typed, removesBranch, options } = attempt;
  if ((files.length > 0 || isBehind) && !(await steps.pull())) return;
  if (step === 'pull') return;
  const own = step === 'commit' && typed !== undefined ? { typed } : undefined;
  // What was resolved is work of the dev branch: it is committed before it can be merged.
  if (!(await steps.commit(own ?? { suggested: `Merge ${from} into ${target.branchName}` }))) return;
  if (step === 'merge') await steps.merge(options);
  else if (step === 'mergeToDefault') await steps.mergeToDefault({ typed, removesBranch });
}

/** A notification may still offer to continue a step that has ended by another way. */
export function nothingUnfinished({ branchName }: BranchTarget): Hint {
  return new Hint(
    `“${branchName}” has no unfinished commit, pull or merge: it went through or was aborted. Changes shows what is left to do.`,
  );
}

function requireResolved(attempt: GitAttempt): void {
  const open = openFiles(attempt).length;
  if (open === 0) return;
  throw new Hint(`${plural(open, 'file')} must be resolved before the ${stepText(attempt)} can continue.`, {
    title: text`Resolve`,
    command: 'modelbench.conflict.merge',
  });
}
