import { deleteBranch } from '#features/branches/dev-mode.ts';
import { writeAtGate } from '#features/platform/vscode/index.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';
import type { BranchDeletionDeps } from './deps.ts';

/** Deletes a branch through the production gate. Rejects with a `Hint` if the user does not confirm it there. */
export async function deleteAtGate(
  deps: Pick<BranchDeletionDeps, 'data' | 'session'>,
  target: BranchTarget,
): Promise<void> {
  const { accountId, deploymentId, branchName } = target;
  const deployment = { accountId, deploymentId };
  const write = { step: 'deleteBranch', target: deployment, from: branchName, to: branchName } as const;
  const outcome = await writeAtGate(deps, { ...write, detail: unmerged }, async (pass) =>
    deleteBranch(deps, { ...deployment, branchName }, pass),
  );
  if (outcome.kind !== 'sent') throw new Hint(`“${branchName}” was not deleted.`);
}

/** What the deletion of a branch means. */
export const unmerged = 'Its unmerged work is lost for everyone.';
