import { isDeployBranch, listBranches, mayBeDeployBranch } from '#api/resources/branches.ts';
import type { Client } from '#api/client/client.ts';

/**
 * Throws `Error` if production is now built from the branch, which its name does not show. Rejects with `PlatformError`
 * when the branches cannot be read, so that nothing is uploaded to a branch that was not checked.
 */
export async function requireStillDev(
  client: Client,
  { deployment, branch }: { readonly deployment: string | number; readonly branch: string },
  signal?: AbortSignal,
): Promise<void> {
  const { data } = await client.call(listBranches, { params: { deploymentId: deployment } }, { signal });
  if (mayBeDeployBranch(data, branch)) throw new Error(builtFrom(branch));
}

/**
 * Throws `Error` if production is built from another branch than this one by now: an upload to this one would be no deploy, or one
 * to a branch that was not confirmed. Rejects with `PlatformError` when the branches cannot be read.
 */
export async function requireStillDeployed(
  client: Client,
  { deployment, branch }: { readonly deployment: string | number; readonly branch: string },
  signal?: AbortSignal,
): Promise<void> {
  const { data } = await client.call(listBranches, { params: { deploymentId: deployment } }, { signal });
  if (data.some((each) => each.name === branch && isDeployBranch(each))) return;
  throw new Error(`Production is no longer built from “${branch}”, so nothing was deployed. Review the deploy again.`);
}

/** Returns the reason why nothing is uploaded to a branch that is named like a dev branch. */
export function builtFrom(branch: string): string {
  return `Production is built from “${branch}”, so nothing is pushed to it. Start dev mode on it to get a branch of your own.`;
}
