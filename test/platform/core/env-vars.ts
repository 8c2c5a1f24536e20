import type { Core } from './core.ts';

export interface EnvVariable {
  readonly name: string;
  readonly value: string;
  readonly isSecret: boolean;
}

/** What a secret value is shown as; sent back, it means "unchanged" (docs/platform-api.md#setenvvars). */
export const mask = '********';

export function readEnvVars(core: Core, deploymentId: number): EnvVariable[] {
  return core.db
    .all<{ name: string; value: string; is_secret: number }>(
      'SELECT name, value, is_secret FROM env_vars WHERE deployment_id = ? ORDER BY name',
      deploymentId,
    )
    .map(({ name, value, is_secret: secret }) => ({ name, value, isSecret: secret === 1 }));
}

/** The secret that signs a deployment's data and metadata tokens. */
export function apiSecret(core: Core, deploymentId: number): string {
  return readEnvVars(core, deploymentId).find(({ name }) => name === 'CUBEJS_API_SECRET')?.value ?? '';
}
