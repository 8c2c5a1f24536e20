import type { TrashCause, TrashItem } from '#sync/core/ports.ts';

const replacedBy: Readonly<Record<TrashCause, string>> = {
  pull: 'replaced by the platform’s version',
  resolve: 'replaced when a conflict was resolved',
  restore: 'replaced by a restored version',
  agentProposal: 'replaced by an agent proposal',
  merge: 'replaced when a merge began',
  unfinishedMerge: 'the unfinished text of a merge, replaced by your version',
  discard: 'replaced when local changes were discarded',
  push: 'the platform’s version, replaced by a push',
  keepMine: 'the platform’s version, replaced by yours',
  deploy: 'the platform’s version, replaced by a deploy',
  branchEdit: 'replaced when a document of the branch was saved',
  settledPull: 'replaced while a pull with resolved conflicts ran',
};

const deletedBy: Readonly<Record<TrashCause, string>> = {
  pull: 'deleted on the platform',
  resolve: 'deleted when a conflict was resolved',
  restore: 'deleted when a pull was undone',
  agentProposal: 'deleted by an agent proposal',
  merge: 'deleted when a merge began',
  unfinishedMerge: 'the unfinished text of a merge, deleted with it',
  discard: 'deleted when local changes were discarded',
  push: 'the platform’s version, deleted by a push',
  keepMine: 'the platform’s version, deleted by your choice',
  deploy: 'the platform’s version, deleted by a deploy',
  branchEdit: 'deleted on the branch',
  settledPull: 'deleted while a pull with resolved conflicts ran',
};

/** Returns why a version is in the trash. */
export function causeText({ cause, deleted }: Pick<TrashItem, 'cause' | 'deleted'>): string {
  if (cause === undefined) return 'replaced or deleted by sync';
  return (deleted ? deletedBy : replacedBy)[cause];
}
