import type { DeploymentTarget } from '#shell/targets.ts';
import { originOf } from '#base/origin.ts';

/**
 * The name under which the secret storage keeps the data token of an environment. The origin belongs to it: a token that
 * was entered for one host is not sent to another one that the platform names later.
 */
export function dataTokenName(
  { accountId, deploymentId }: DeploymentTarget,
  { id, restUrl }: { readonly id: string; readonly restUrl: string },
): string {
  return `data.token.${JSON.stringify([accountId, deploymentId, id, originOf(restUrl)])}`;
}
