import { isPlatformError } from '#api/errors.ts';
import type { Hash } from '#sync/core/hash.ts';
import type { WriteReply } from '#sync/core/ports.ts';
import { isRefusal } from './refusal.ts';

/**
 * Sends a write, which must be a single attempt. A refusal is a reply: only the hashes show whether something changed.
 * Calls `onHonours` when the server shows that it supports conditional requests.
 */
export async function sendWrite(send: () => Promise<Response>, onHonours?: () => void): Promise<WriteReply> {
  try {
    const response = await send();
    if (response.headers.has('etag')) onHonours?.();
    // The write succeeded, even if its response body cannot be read.
    await response.body?.cancel().catch(() => undefined);
    return { kind: 'done', stored: strongTag(response.headers) };
  } catch (error) {
    if (!isPlatformError(error) || !isRefusal(error)) throw error;
    if (error.status !== 412) return { kind: 'refused', error };
    onHonours?.();
    return { kind: 'changed', error };
  }
}

/** Returns the hash in the entity tag of a stored file, if there is one. */
function strongTag(headers: Headers): Hash | undefined {
  return /^"([0-9a-f]{40})"$/.exec(headers.get('etag') ?? '')?.[1];
}

/**
 * Returns `If-Match` with the expected hash of each file, in the order of the request (`"-"`: it must not exist), or
 * `If-None-Match: *` when none may exist. A server without support for conditional requests ignores them.
 */
export function preconditions(expected: readonly (Hash | undefined)[]): Record<string, string> {
  if (expected.every((hash) => hash === undefined)) return { 'If-None-Match': '*' };
  return { 'If-Match': expected.map((hash) => `"${hash ?? '-'}"`).join(', ') };
}
