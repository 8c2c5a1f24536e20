import type { AccountClients } from '#api/client/client.ts';
import { readEnvVars } from '#api/resources/runtime.ts';
import type { DeploymentTarget } from '#shell/targets.ts';

/**
 * Resolves to the `CUBEJS_DB_TYPE` of a deployment; `undefined` if it is not set, or if the user may not read the deployment's
 * variables.
 */
export async function databaseTypeOf(
  data: AccountClients,
  { accountId, deploymentId }: DeploymentTarget,
): Promise<string | undefined> {
  try {
    const rows = await readEnvVars(data.client(accountId), deploymentId);
    const value = rows.find(({ name }) => name === 'CUBEJS_DB_TYPE')?.['value'];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
