import { getFileHashes } from '#api/resources/data-model.ts';
import { normalizePath } from '#base/path.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { PlatformData } from './platform-data.ts';

/** The hash of each file of a branch, by path. */
export type BranchHashes = ReadonlyMap<string, string>;

/** Reads the hash of each file of a branch from the platform, by path. Rejects with `PlatformError`. */
export async function hashesOf(
  data: PlatformData,
  { accountId, deploymentId, branchName }: BranchTarget,
): Promise<BranchHashes> {
  const request = { params: { deploymentId }, query: { branchName } };
  const { files } = await data.client(accountId).call(getFileHashes, request);
  return new Map(Object.entries(files).map(([path, { hash }]) => [normalizePath(path), hash]));
}
