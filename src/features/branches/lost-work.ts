import { plural } from '#base/words.ts';
import type { SyncSessions } from '#features/folders/index.ts';
import {
  branchDifference,
  type ContentDifference,
  differencesOf,
  fetchBranches,
  type PlatformData,
} from '#features/platform/index.ts';
import type { BranchTarget } from '#shell/targets.ts';

/** What the deletion of a branch means for work that is nowhere else. */
export interface LostWork {
  /** The branch that it is compared with: its parent; `undefined` if the platform names none. */
  readonly parent: string | undefined;
  /** The files in which it differs from its parent, uncommitted ones included; `undefined` if they could not be compared. */
  readonly files: readonly ContentDifference[] | undefined;
  /** The branches that are forked from it. */
  readonly forks: readonly string[];
  /** The number of changes in linked folders that are not on it. They stay in the folders. */
  readonly unsent: number;
}

/**
 * Reads what is lost with a branch, from the platform instead of this window's cache; `undefined` if it is not there any more.
 * Rejects with `PlatformError`.
 */
export async function readLostWork(
  { data, syncs }: { readonly data: PlatformData; readonly syncs: Pick<SyncSessions, 'ofBranch'> },
  target: BranchTarget,
): Promise<LostWork | undefined> {
  const { accountId, deploymentId, branchName } = target;
  const branches = await fetchBranches(data.client(accountId), deploymentId);
  const branch = branches.find(({ name }) => name === branchName);
  if (!branch) return undefined;
  const parent = branch.parentBranch;
  const content =
    parent === undefined ? undefined : await branchDifference(data, target, parent).catch(() => undefined);
  const forks = branches.filter((other) => other.parentBranch === branchName && other.name !== branchName);
  const unsent = syncs.ofBranch(target).map(({ sync }) => sync.status.value.localChanges.length);
  return {
    parent,
    files: content === undefined ? undefined : differencesOf(content),
    forks: forks.map(({ name }) => name).sort(),
    unsent: unsent.reduce((sum, count) => sum + count, 0),
  };
}

/** Returns what is lost, in sentences for the question before the deletion. */
export function lostText({ parent, files, forks, unsent }: LostWork): string {
  const named = forks.slice(0, 3).join(', ') + (forks.length > 3 ? ', …' : '');
  const sentences = [
    workText(parent, files),
    forks.length === 0 ? '' : `Branches that are forked from it: ${named}.`,
    unsent === 0
      ? ''
      : `${plural(unsent, 'change')} of your folders ${unsent === 1 ? 'is' : 'are'} not on it and will stay there.`,
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** Whether the user must see files before the branch is deleted. */
export function losesFiles({ files }: LostWork): boolean {
  return files !== undefined && files.length > 0;
}

function workText(parent: string | undefined, files: LostWork['files']): string {
  if (parent === undefined || files === undefined)
    return 'It could not be compared with its parent branch. Its unmerged work is lost for everyone.';
  if (files.length === 0) return `No work is lost: its files are the same as on “${parent}”.`;
  const differ = files.length === 1 ? 'file differs' : 'files differ';
  return `Its unmerged work is lost for everyone: ${files.length} ${differ} from “${parent}”.`;
}
