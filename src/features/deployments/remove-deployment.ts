import { deleteDeployment } from '#api/resources/deployments.ts';
import { text } from '#base/user-text.ts';
import type { PlatformData } from '#features/platform/index.ts';
import type { Operations } from '#shell/operations.ts';
import type { DeploymentTarget } from '#shell/targets.ts';

/** Deletes a deployment with everything in it, irrevocably. */
export async function removeDeployment(
  { data, operations }: { readonly data: PlatformData; readonly operations: Operations },
  target: DeploymentTarget,
): Promise<void> {
  const { accountId, deploymentId } = target;
  await operations.run({
    label: text`Deleting ${data.nameOf(target)}`,
    key: `delete ${accountId} ${deploymentId}`,
    run: async () => data.client(accountId).call(deleteDeployment, { params: { deploymentId } }),
  });
  await data.deployments(accountId).invalidate();
}
