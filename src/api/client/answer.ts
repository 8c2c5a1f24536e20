import { abortable } from '#base/async.ts';
import { isPlatformError, PlatformError } from '#api/errors.ts';
import { addressName, type CallFacts, invalidResponse } from './failure.ts';
import { isObject } from '#api/schema.ts';

/** Thrown when a response exceeds the limit while it is read: the rest is not read. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
}

/** Reads a body as text; rejects with `AnswerTooLargeError` as soon as the response is known to exceed `maxBytes`. */
export async function readText(response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  const announced = Number(response.headers.get('content-length') ?? 0);
  const { body } = response;
  if (announced > maxBytes) {
    cancelBody(response);
    throw new AnswerTooLargeError();
  }
  if (!body) return '';
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await abortable(reader.read(), signal);
      if (done) {
        requireWhole(response, size);
        break;
      }
      size += value.byteLength;
      if (size > maxBytes) throw new AnswerTooLargeError();
      chunks.push(value);
    }
  } catch (error) {
    reader.cancel().catch(() => undefined);
    throw error;
  }
  return decode(chunks);
}

/** Throws if fewer bytes arrived than the server announced: not every connection that ends early reports that itself. */
export function requireWhole({ headers }: Response, size: number): void {
  const isEncoded = !['', 'identity'].includes(headers.get('content-encoding') ?? '');
  if (!isEncoded && size < Number(headers.get('content-length') ?? 0)) throw new Error('terminated');
}

function decode(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  const [first] = chunks;
  if (chunks.length === 1) return decoder.decode(first);
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode();
}

/** Cancels a body that is not read. */
export function cancelBody(response: Response): void {
  response.body?.cancel().catch(() => undefined);
}

const whatToCheck = ({ op, proxy }: CallFacts): string =>
  `Check ${addressName(op)}. ${proxy ? `The proxy ${proxy.host} (from ${proxy.from})` : 'A proxy'} or a sign-in page may also have answered in its place.`;

/**
 * Returns the error for a web page instead of data (an unknown route may return one with 200;
 * docs/platform-api.md#signing-in).
 */
export const webPageError = (facts: CallFacts, status?: number): PlatformError => {
  const next = whatToCheck(facts);
  const error =
    facts.op.host === 'data'
      ? pageOfDataApi(facts, status, next)
      : invalidResponse(facts, `it is a web page, not data. ${next}`);
  webPages.add(error);
  return error;
};

function pageOfDataApi(facts: CallFacts, status: number | undefined, next: string): PlatformError {
  const { op, host, requestId } = facts;
  const happened = `${host} answered with a web page instead of data${status === undefined ? '' : ` (status ${status})`}.`;
  return new PlatformError({
    kind: 'invalidResponse',
    operation: op.id,
    message: `${happened} ${next}`,
    status,
    requestId,
  });
}

const webPages = new WeakSet<object>();
const cuts = new WeakSet<object>();

/** Whether an error means that the response was cut off: its connection broke, or its JSON is incomplete. */
export const isCut = (error: unknown): boolean => !isPlatformError(error) || cuts.has(error);

/** Whether an error means that something other than the platform responded, so that the outcome of the request is unknown. */
export const isWebPage = (error: unknown): boolean => error instanceof Error && webPages.has(error);

/** Parses a JSON response; returns `undefined` for an empty one. */
export function parseJson(facts: CallFacts, text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return (facts.op.parse ?? JSON.parse)(text) as unknown;
  } catch {
    // The parser's own error would quote some of the body.
    if (text.trimStart().startsWith('<')) throw webPageError(facts);
    const error = invalidResponse(
      facts,
      `it is not JSON, or it was cut off. Try again; ${facts.proxy ? `the proxy ${facts.proxy.host}` : 'a proxy'} may have changed it.`,
    );
    if (/^\s*[[{]/.test(text)) cuts.add(error);
    throw error;
  }
}

/** Returns the message of a JSON-RPC error object, which the chat sends as a complete 200 response (docs/chat.md#errors). */
export function jsonRpcError(value: unknown): { readonly message: string } | undefined {
  if (!isObject(value) || !('error' in value)) return undefined;
  const { error } = value;
  if (typeof error === 'string') return { message: error };
  return isObject(error) ? { message: typeof error['message'] === 'string' ? error['message'] : '' } : undefined;
}
