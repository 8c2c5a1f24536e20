import type { PlatformData } from '#features/platform/platform-data.ts';
import type { DeploymentTarget } from '#shell/targets.ts';

/** Returns the name of a deployment for the titles of documents. */
export function titleOf({ data }: { readonly data: Pick<PlatformData, 'nameOf'> }, target: DeploymentTarget): string {
  return data.nameOf(target).replaceAll('/', '-');
}
