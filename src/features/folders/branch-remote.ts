import type { AccountClients } from '#api/client/client.ts';
import { createPlatformRemote, type DeployAccess } from '#sync/core/remote/platform-remote.ts';
import type { SyncPorts } from '#sync/core/ports.ts';
import type { BranchTarget } from '#shell/targets.ts';

/** Returns the platform's side of a folder's sync, with the client of the target's account. `folder`: the model's, in the branch. */
export function branchRemote(
  data: AccountClients,
  { accountId, deploymentId, branchName }: BranchTarget,
  folder: string,
  deploy: DeployAccess | undefined,
): SyncPorts['remote'] {
  const options = { client: data.client(accountId), deployment: deploymentId, branch: branchName, folder };
  return createPlatformRemote(options, deploy);
}
