import type { AccountClients } from '#api/client.ts';
import { createPlatformDeployer, createPlatformReader, createPlatformWriter } from '#sync/core/platform-remote.ts';
import type { SyncPorts } from '#sync/core/ports.ts';
import { devBranch } from '#sync/core/target.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { DeployAccess } from './sync-sessions.ts';

/** The branch that a linked folder is compared with, and what may be written to it. */
export interface BranchSide {
  readonly target: BranchTarget;
  /** The model's folder in the branch. */
  readonly folder: string;
  /** The only way to write to a deploy branch. */
  readonly deploy: DeployAccess | undefined;
}

/**
 * Returns the platform's side of a sync: dev branches are writable, a deploy branch only during a confirmed deploy, others are
 * read-only.
 */
export function branchSide(
  { data }: { readonly data: AccountClients },
  { target, folder, deploy }: BranchSide,
): SyncPorts['remote'] {
  const { accountId, deploymentId, branchName } = target;
  const options = { client: data.client(accountId), deployment: deploymentId, branch: branchName, folder };
  if (deploy) return createPlatformDeployer({ ...options, branch: deploy.branch, isOpen: () => deploy.isOpen });
  const branch = devBranch(branchName);
  if (!branch.ok) return createPlatformReader(options);
  return createPlatformWriter({ ...options, branch: branch.value });
}
