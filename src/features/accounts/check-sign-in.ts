import type { Client } from '#api/client.ts';
import { listDeployments } from '#api/deployments.ts';
import { isPlatformError } from '#api/errors.ts';
import { err, ok, type Result } from '#base/result.ts';

/** Why a sign-in does not work, and which of the two inputs is to blame. */
export interface SignInProblem {
  readonly field: 'tenant' | 'key';
  readonly message: string;
}

/**
 * Why a tenant cannot be reached, before a key is asked for: one call without a key, whose refusal shows that the server is there.
 * `undefined` where it answered. Throws `PlatformError` of the kind `cancelled`.
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

/** Tries a key with one small call; returns how many deployments it can read, where the platform reports that. */
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
    // The input for another key is open.
    const message = thrown.message.replace(' Sign in again.', ' Paste another one.');
    return err({ field, message });
  }
}
