import { text } from '#base/user-text.ts';
import { plural } from '#base/words.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';
import { type GitAttempt, openFiles, stepText } from './git-attempt.ts';
import type { MergeOptions } from './git-workflow.ts';

/** The steps that a user can take; each resolves to whether it succeeded. */
export interface Steps {
  readonly pull: () => Promise<boolean>;
  /** A commit with nothing left to commit counts as a success. */
  readonly commit: (message: ContinuedMessage) => Promise<boolean>;
  readonly merge: (options: MergeOptions | undefined) => Promise<void>;
  readonly mergeToDefault: (asked: Pick<GitAttempt, 'typed' | 'removesBranch'>) => Promise<void>;
}

/** The message of a commit that continues: the one typed for it, with the branch that it was for, or a suggestion. */
export type ContinuedMessage = { readonly typed: string; readonly to: string } | { readonly suggested: string };

/**
 * Continues a step that stopped: pulls the other branch if that is missing, then repeats the step with the message that was typed
 * for it. Throws `Hint` if files are still in conflict.
 */
export async function continueStep(attempt: GitAttempt, target: BranchTarget, steps: Steps): Promise<void> {
  requireResolved(attempt);
  const { step, from, files, isBehind = false, typed, removesBranch, options } = attempt;
  if ((files.length > 0 || isBehind) && !(await steps.pull())) return;
  if (step === 'pull') return;
  const own = step === 'commit' && typed !== undefined ? { typed, to: from } : undefined;
  // Resolved files are changes of the dev branch: they must be committed before a merge.
  if (!(await steps.commit(own ?? { suggested: `Merge ${from} into ${target.branchName}` }))) return;
  if (step === 'merge') await steps.merge(options);
  else if (step === 'mergeToDefault') await steps.mergeToDefault({ typed, removesBranch });
}

/** Returns a hint for a notification that still offers to continue a step that has ended in another way. */
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
