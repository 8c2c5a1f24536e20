import { getFileHashes } from '#api/resources/data-model.ts';
import { PlatformError } from '#api/errors.ts';
import { normalizePath } from '#base/path.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { saysMore } from '#sync/core/remote/says-more.ts';
import type { PlatformData } from './platform-data.ts';

/** The hash of each file of a branch, by path. */
export type BranchHashes = ReadonlyMap<string, string>;

/** The files that the platform lists. */
export interface ListedHashes {
  readonly hashes: BranchHashes;
  /** Whether these are all files of the branch. */
  readonly isComplete: boolean;
}

/** Reads the hash of each file of a branch from the platform, by path. Rejects with `PlatformError`, also where the list was cut. */
export async function hashesOf(data: PlatformData, target: BranchTarget): Promise<BranchHashes> {
  const { hashes, isComplete } = await listedHashes(data, target);
  if (isComplete) return hashes;
  const message = 'The platform’s list of files was not complete, so it is not known what differs.';
  throw new PlatformError({ kind: 'invalidResponse', operation: getFileHashes.id, message });
}

/** Reads the hash of each file that the platform lists, also where its list was cut. Rejects with `PlatformError`. */
export async function listedHashes(
  data: PlatformData,
  { accountId, deploymentId, branchName }: BranchTarget,
): Promise<ListedHashes> {
  const request = { params: { deploymentId }, query: { branchName } };
  const answer = await data.client(accountId).call(getFileHashes, request);
  const hashes = new Map(Object.entries(answer.files).map(([path, { hash }]) => [normalizePath(path), hash]));
  return { hashes, isComplete: !saysMore(answer) };
}
