import {
  type BranchTarget,
  deploymentKey,
  type DeploymentTarget,
  type FileTarget,
  type FolderTarget,
} from '#shell/targets.ts';

/** Returns the key of a merge; with an empty path, how the keys of all merges of the folder begin. */
export function mergeKey({ folderId, path }: FileTarget): string {
  return `merge ${folderId} ${path}`;
}

/** Returns the key of the stopped Git step of a branch; with an empty name, how those of all branches of the deployment begin. */
export function attemptKey({ branchName, ...deployment }: BranchTarget): string {
  return `gitAttempt.${deploymentKey(deployment)} ${branchName}`;
}

/** Returns how the keys of the resolved versions that are off a branch of a deployment begin. */
export function lentPrefix({ folderId, accountId, deploymentId }: DeploymentTarget & FolderTarget): string {
  return `lent.${JSON.stringify([folderId, accountId, deploymentId]).slice(0, -1)},`;
}

/** Returns the key of the resolved versions that are off a branch during a pull. */
export function lentKey({ branchName, ...folder }: BranchTarget & FolderTarget): string {
  return `${lentPrefix(folder)}${JSON.stringify(branchName)}]`;
}
