import type { Core } from './core.ts';
import { invalid } from './refusal.ts';
import type { DeploymentRow } from './rows.ts';

/** The image every version is an image of; the server resolves it, clients never send it alone (docs/platform-api.md#updatedeployment). */
export const imageRepository = 'registry.local/engine';

/** The head of each update channel, newest channel last. */
export const channelHeads: Readonly<Record<string, string>> = {
  stable: '1.6.43',
  latest: '1.7.43',
  preview: '1.8.2',
};

/** docs/platform-api.md#listdeploymentversions */
export interface VersionEntry {
  readonly releaseChannelVersion: string;
  readonly version: string;
  readonly releaseChannel: string;
  readonly isLatestInChannel: boolean;
  readonly isCurrent: boolean;
}

/** The head of each channel plus older versions that the account has run (docs/platform-api.md#listdeploymentversions). */
export function listVersions(core: Core, deployment: DeploymentRow): VersionEntry[] {
  const heads = Object.entries(channelHeads).map(([releaseChannel, version]) => ({ releaseChannel, version }));
  const run = core.db
    .all<{ version: string; release_channel: string }>(
      `SELECT DISTINCT v.version, v.release_channel FROM versions_run v JOIN deployments d ON d.id = v.deployment_id
       WHERE d.tenant_id = ? ORDER BY v.version DESC`,
      deployment.tenant_id,
    )
    .map((row) => ({ releaseChannel: row.release_channel, version: row.version }));
  const older = run.filter(({ version }) => !heads.some((head) => head.version === version));
  return [...heads, ...older].map(({ releaseChannel, version }) => ({
    releaseChannelVersion: `${imageRepository}:v${version}`,
    version,
    releaseChannel,
    isLatestInChannel: channelHeads[releaseChannel] === version,
    isCurrent: deployment.version === version,
  }));
}

/**
 * The version and channel an update asks for; undefined: it asks for neither.
 * @throws Refusal 400 when they are not on the list (docs/platform-api.md#updatedeployment)
 */
export function requestedVersion(
  core: Core,
  deployment: DeploymentRow,
  input: { readonly releaseChannelVersion?: string | undefined; readonly releaseChannel?: string | undefined },
): { readonly version: string; readonly channel: string } | undefined {
  const { releaseChannelVersion: reference, releaseChannel: channel } = input;
  if (reference === undefined && channel === undefined) return undefined;
  if (channel !== undefined && !Object.hasOwn(channelHeads, channel)) {
    throw invalid(`releaseChannel: "${channel}" is not one of ${Object.keys(channelHeads).join(', ')}`);
  }
  if (reference === undefined) return { version: channelHeads[channel ?? ''] ?? '', channel: channel ?? '' };
  const { repository, version } = parseReference(reference);
  const entry = listVersions(core, deployment).find((candidate) => candidate.version === version);
  if (entry === undefined || (repository !== undefined && repository !== imageRepository)) {
    throw invalid(`releaseChannelVersion: "${reference}" is not on the version list`);
  }
  return { version, channel: channel ?? entry.releaseChannel };
}

/** `<version>`, `v<version>` or `<image_repo>:v<version>`. */
function parseReference(reference: string): { readonly repository?: string; readonly version: string } {
  const at = reference.lastIndexOf(':');
  const bare = reference.slice(at + 1).replace(/^v/, '');
  return at < 0 ? { version: bare } : { repository: reference.slice(0, at), version: bare };
}
