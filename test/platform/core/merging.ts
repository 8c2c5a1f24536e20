import type { Author } from '../git/git.ts';
import type { Repository } from '../git/repository.ts';
import type { Core } from './core.ts';
import { conflict } from './refusal.ts';
import type { Caller } from './rows.ts';

export interface MergeInput {
  /** The commit that is merged into. */
  readonly mine: string;
  readonly theirs: string;
  readonly message: string;
  /** The names of both, for the message of a conflict. */
  readonly names: readonly [string, string];
  readonly squash?: boolean;
  /** A merge commit even where moving the branch forward would do. */
  readonly always?: boolean;
}

/**
 * The commit that holds both: a merge commit, a squashed one, or theirs where mine is its ancestor.
 * @throws Refusal 409 with the conflicting paths; nothing has changed then
 */
export async function mergedCommit(repository: Repository, author: Author, input: MergeInput): Promise<string> {
  const { mine, theirs, message, squash, always } = input;
  if (squash !== true && always !== true && (await repository.isAncestor(mine, theirs))) return theirs;
  const merge = await repository.mergeTrees(mine, theirs);
  if (!merge.ok) {
    const [into, from] = input.names;
    throw conflict(`"${from}" and "${into}" changed the same lines of ${merge.conflicts.join(', ')}.`, merge.conflicts);
  }
  const parents = squash === true ? [mine] : [mine, theirs];
  return repository.commitTree({ tree: merge.tree, parents, message, author });
}

/** The caller as the author of a commit made now. */
export const author = (core: Core, caller: Pick<Caller, 'userEmail'>): Author => ({
  name: caller.userEmail.split('@')[0] ?? caller.userEmail,
  email: caller.userEmail,
  date: core.clock.now(),
});
