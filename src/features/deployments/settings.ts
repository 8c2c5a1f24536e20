import { creationMethods, deployModes, updateDeployment } from '#api/resources/deployments.ts';
import type { PlatformData } from '#features/platform/index.ts';
import { offeredValues } from '#shell/offered-values.ts';
import type { DeploymentTarget } from '#shell/targets.ts';

/** The settings of a deployment that can be changed, apart from its version (docs/platform-api.md#updatedeployment). */
export type Setting = 'name' | 'deployMode' | 'creationMethod';

/** A setting with its new value. */
export type SettingChange = Readonly<Partial<Record<Setting, string>>>;

/** Returns the possible values of a setting: those in the server's own description, or else the documented ones. */
export function settingValues(
  description: Readonly<Record<string, unknown>> | undefined,
  setting: Exclude<Setting, 'name'>,
): readonly string[] {
  const body = { body: setting } as const;
  return setting === 'deployMode'
    ? offeredValues(description, updateDeployment, body, deployModes)
    : offeredValues(description, updateDeployment, body, creationMethods);
}

/** Changes a setting of a deployment (docs/platform-api.md#updatedeployment). */
export async function changeSetting(
  data: PlatformData,
  { accountId, deploymentId }: DeploymentTarget,
  change: SettingChange,
): Promise<void> {
  await data.client(accountId).call(updateDeployment, { params: { deploymentId }, body: change });
  await data.deployments(accountId).invalidate();
}
