import type { AccountClients } from '#api/client.ts';
import { readEnvVars } from '#api/runtime.ts';
import type { DeploymentTarget } from '#shell/targets.ts';

/** The `CUBEJS_DB_TYPE` of a deployment; undefined where it is not said, and for those who may not read its variables. */
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
