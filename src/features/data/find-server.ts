import type { DataClient } from '#api/data/data.ts';
import { isPlatformError, type PlatformError } from '#api/errors.ts';
import { isObject } from '#api/schema.ts';
import { type Origin, originOf } from '#base/origin.ts';
import { err, ok, type Result } from '#base/result.ts';
import { possibleAddresses } from './server-address.ts';

/** Returns a client without a token, which tries a request once. */
type ClientOf = (server: { readonly restUrl: string; readonly origin: Origin }) => Pick<DataClient, 'load'>;

/** How long to wait for a server's response when checking for one, in milliseconds. */
const findMs = 1_500;

/** Resolves to whether a Cube Core server responds at a base address: it rejects the query `{}`, or requires a token. */
export async function isServerAt(clientOf: ClientOf, restUrl: string, signal?: AbortSignal): Promise<boolean> {
  return (await probe(clientOf, restUrl, signal)) === true;
}

/** Resolves to the base address of the server that an address stands for; the error says why there is none. */
export async function findServer(
  clientOf: ClientOf,
  typed: string,
  signal?: AbortSignal,
): Promise<Result<string, string>> {
  let problem = `No Cube Core server answers at ${typed}. Check the address, and that the server runs.`;
  for (const restUrl of possibleAddresses(typed)) {
    const found = await probe(clientOf, restUrl, signal);
    if (found === true) return ok(restUrl);
    if (saysMore(found)) problem = found.message;
  }
  return err(problem);
}

/** Whether a failure says more than that there is no such server here: something is on the way that does not let requests through. */
function saysMore(failure: unknown): failure is PlatformError {
  if (!isPlatformError(failure)) return false;
  return ['network', 'timeout'].includes(failure.kind) || [407, 502, 503, 504].includes(failure.status ?? 0);
}

/** Resolves to `true` if a server responds like Cube Core, otherwise to its failure, if there is one. */
async function probe(clientOf: ClientOf, restUrl: string, signal?: AbortSignal): Promise<unknown> {
  const origin = originOf(restUrl);
  if (origin === undefined) return false;
  try {
    await clientOf({ restUrl, origin }).load({}, { signal, timeoutMs: findMs, maxWaitMs: 0 });
    return false;
  } catch (error) {
    const kinds = ['invalidRequest', 'auth', 'forbidden'] as const;
    const said = isPlatformError(error) && isObject(error.body) ? error.body['error'] : undefined;
    return (typeof said === 'string' && kinds.some((kind) => isPlatformError(error, kind))) || error;
  }
}
