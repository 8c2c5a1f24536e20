import { isPlatformError } from '#api/errors.ts';
import type { Hash } from './hash.ts';
import type { WriteReply } from './ports.ts';
import { isRefusal } from './refusal.ts';

/**
 * Sends a write, which must be a single attempt. A refusal is an answer: only the hashes show whether something changed.
 * `onHonours` is called where the server shows that it knows conditions.
 */
export async function sendWrite(send: () => Promise<Response>, onHonours?: () => void): Promise<WriteReply> {
  try {
    const response = await send();
    if (response.headers.has('etag')) onHonours?.();
    // A success is one, whatever becomes of its body.
    await response.body?.cancel().catch(() => undefined);
    return { kind: 'done' };
  } catch (error) {
    if (!isPlatformError(error) || !isRefusal(error)) throw error;
    if (error.status !== 412) return { kind: 'refused', error };
    onHonours?.();
    return { kind: 'changed', error };
  }
}

/**
 * `If-Match` with the expected hash of each file of the request, in the request's order (`"-"`: it must not be there), or
 * `If-None-Match: *` when none may be there. A server that does not know them ignores them.
 */
export function preconditions(expected: readonly (Hash | undefined)[]): Record<string, string> {
  if (expected.every((hash) => hash === undefined)) return { 'If-None-Match': '*' };
  return { 'If-Match': expected.map((hash) => `"${hash ?? '-'}"`).join(', ') };
}
