import { createMetadataToken, environmentTypes, listEnvironments } from '#api/resources/environments.ts';
import { isObject } from '#api/schema.ts';
import { parsedJson } from '#base/json.ts';
import { tokenExpiry } from '#features/deployments/token.ts';
import { type Environment, fetchEnvironments, type PlatformData } from '#features/platform/index.ts';
import { offeredValues } from '#shell/offered-values.ts';
import type { DeploymentTarget } from '#shell/targets.ts';

export interface TokenRequest {
  readonly environmentId: string;
  readonly securityContext: Readonly<Record<string, unknown>>;
  /** In seconds. */
  readonly lifetime: number;
}

/** Creates a metadata token for an environment (docs/platform-api.md#createmetadatatoken). */
export async function makeMetadataToken(
  data: PlatformData,
  { accountId, deploymentId }: DeploymentTarget,
  { environmentId, securityContext, lifetime }: TokenRequest,
): Promise<{ readonly token: string; readonly expires: Date | undefined }> {
  const { data: made } = await data.client(accountId).call(createMetadataToken, {
    params: { deploymentId, environmentId },
    body: { security_context: { ...securityContext }, expires_in: lifetime },
  });
  return { token: made.token, expires: tokenExpiry(made.token) ?? dateOf(made.expires_at) };
}

function dateOf(timestamp: string | undefined): Date | undefined {
  const time = Date.parse(timestamp ?? '');
  return Number.isNaN(time) ? undefined : new Date(time);
}

/** Parses a security context that the user typed: a JSON object; `undefined` for anything else. */
export function parseSecurityContext(typed: string): Readonly<Record<string, unknown>> | undefined {
  const json = parsedJson(typed);
  return isObject(json) ? { ...json } : undefined;
}

/** Returns the types of environments by which the server can filter its list. */
export function offeredEnvironmentTypes(description: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  return offeredValues(description, listEnvironments, { query: 'type' }, environmentTypes);
}

/** Resolves to the environments of one type. */
export async function environmentsOfType(
  data: PlatformData,
  { accountId, deploymentId }: DeploymentTarget,
  type: string,
): Promise<readonly Environment[]> {
  return fetchEnvironments(data.client(accountId), deploymentId, undefined, type);
}
