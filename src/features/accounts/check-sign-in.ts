import type { Client } from '#api/client/client.ts';
import { listDeployments } from '#api/resources/deployments.ts';
import { isPlatformError } from '#api/errors.ts';
import { err, ok, type Result } from '#base/result.ts';

/** Why a sign-in fails, and which of the two inputs causes it. */
export interface SignInProblem {
  readonly field: 'tenant' | 'key';
  readonly message: string;
}

/**
 * Checks whether a tenant can be reached, before a key is asked for: makes one call without a key, whose refusal shows that the
 * server exists. Resolves to the problem, or `undefined` if the server responded. Throws `PlatformError` of the kind `cancelled`.
 */
export async function tenantProblem(client: Client, signal?: AbortSignal): Promise<string | undefined> {
  try {
    await client.call(listDeployments, { query: { offset: 0, limit: 1 } }, { signal, once: true });
    return undefined;
  } catch (thrown) {
    if (!isPlatformError(thrown) || thrown.kind === 'cancelled') throw thrown;
    return ['network', 'timeout', 'insecure'].includes(thrown.kind) ? thrown.message : undefined;
  }
}

/** Tries a key with one small call; resolves to the number of deployments it can read. */
export async function checkSignIn(
  client: Client,
  signal?: AbortSignal,
): Promise<Result<number | undefined, SignInProblem>> {
  try {
    const answer = await client.call(listDeployments, { query: { offset: 0, limit: 1 } }, { signal });
    return ok(answer.pagination?.total ?? answer.data.deployments.length);
  } catch (thrown) {
    if (!isPlatformError(thrown) || thrown.kind === 'cancelled') throw thrown;
    const field = thrown.kind === 'auth' || thrown.kind === 'forbidden' ? 'key' : 'tenant';
    // The input for another key is still open.
    const message = thrown.message.replace(' Sign in again.', ' Paste another one.');
    return err({ field, message });
  }
}
