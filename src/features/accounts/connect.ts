import type { Client } from '#api/client.ts';
import { listDeployments } from '#api/deployments.ts';
import { isPlatformError } from '#api/errors.ts';
import { err, ok, type Result } from '#base/result.ts';

/** Why a sign-in does not work, and which of the two inputs is to blame. */
export interface SignInProblem {
  readonly field: 'tenant' | 'key';
  readonly message: string;
}

/** Tries a key with one small call; the answer is how many deployments it opens, where the platform tells. */
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
    return err({ field, message: thrown.message });
  }
}
