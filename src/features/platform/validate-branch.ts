import type { Client } from '#api/client/client.ts';
import { validateDataModel } from '#api/resources/data-model.ts';
import type { BranchTarget } from '#shell/targets.ts';

/** Has the platform compile the model of a branch, without building it (docs/platform-api.md#validatedatamodel, optional). Throws `PlatformError`. */
export async function validateBranch(
  client: Client,
  { deploymentId, branchName }: Pick<BranchTarget, 'deploymentId' | 'branchName'>,
  signal?: AbortSignal,
) {
  return client.call(validateDataModel, { params: { deploymentId }, query: { branchName } }, { signal });
}
