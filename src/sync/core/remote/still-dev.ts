import { listBranches, mayBeDeployBranch } from '#api/resources/branches.ts';
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

/** Returns the reason why nothing is uploaded to a branch that is named like a dev branch. */
export function builtFrom(branch: string): string {
  return `Production is built from “${branch}”, so nothing is pushed to it. Start dev mode on it to get a branch of your own.`;
}
