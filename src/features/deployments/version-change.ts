import * as v from 'valibot';
import { listDeploymentVersions, updateDeployment, versionReference } from '#api/resources/deployments.ts';
import type { AnswerOf } from '#api/operation.ts';
import type { PlatformData } from '#features/platform/index.ts';
import type { DeploymentTarget } from '#shell/targets.ts';

/** The versions that a deployment can run (docs/platform-api.md#listdeploymentversions). */
export interface OfferedVersions {
  readonly versions: AnswerOf<typeof listDeploymentVersions>['data'];
  /** The release channels of these versions, each once. */
  readonly channels: readonly string[];
}

/** A fixed version, or always the newest of a channel. */
export type VersionChoice = { readonly releaseChannel: string } | { readonly releaseChannelVersion: string };

/** Reads the versions and channels that a deployment can change to. */
export async function offeredVersions(
  data: PlatformData,
  { accountId, deploymentId }: DeploymentTarget,
): Promise<OfferedVersions> {
  const { data: versions } = await data.client(accountId).call(listDeploymentVersions, { params: { deploymentId } });
  return { versions, channels: [...new Set(versions.flatMap(({ releaseChannel }) => releaseChannel ?? []))] };
}

/** Parses a version that the user typed, in one of the platform's three forms (docs/platform-api.md#updatedeployment). */
export function typedVersion(typed: string): VersionChoice | undefined {
  const releaseChannelVersion = typed.trim();
  return v.is(versionReference, releaseChannelVersion) ? { releaseChannelVersion } : undefined;
}

/** Restarts a deployment with another version (docs/platform-api.md#updatedeployment). */
export async function changeVersion(
  data: PlatformData,
  target: DeploymentTarget,
  choice: VersionChoice,
): Promise<void> {
  const { accountId, deploymentId } = target;
  await data.client(accountId).call(updateDeployment, { params: { deploymentId }, body: choice });
  await data.of(target).versions.invalidate();
}
