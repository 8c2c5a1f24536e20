import type { Client } from '#api/client.ts';
import { readEnvVars } from '#api/runtime.ts';

/** The `CUBEJS_DB_TYPE` of a deployment; undefined where it is not said, and for those who may not read its variables. */
export async function databaseTypeOf(client: Client, deploymentId: string): Promise<string | undefined> {
  try {
    const rows = await readEnvVars(client, deploymentId);
    const value = rows.find(({ name }) => name === 'CUBEJS_DB_TYPE')?.['value'];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
