import type { Client } from '#api/client/client.ts';
import { createDataToken } from '#api/resources/environments.ts';

/** The environment of a token, its claims about the identity of the query, and its lifetime in seconds. */
export interface TokenRequest {
  readonly deploymentId: string;
  readonly environmentId: string;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly seconds: number;
}

/**
 * Resolves to a token of the data API that the platform issues (docs/platform-api.md#createdatatoken). Throws `PlatformError`.
 */
export async function issueToken(
  client: Client,
  { deploymentId, environmentId, securityContext, seconds }: TokenRequest,
  signal?: AbortSignal,
): Promise<{ readonly token: string; readonly expires_at?: string | undefined }> {
  const params = { deploymentId, environmentId };
  const body = { security_context: securityContext, expires_in: seconds };
  return (await client.call(createDataToken, { params, body }, { signal })).data;
}
