import { abortable } from '#base/async.ts';
import { isPlatformError, PlatformError } from './errors.ts';
import { addressName, type CallFacts, invalidResponse } from './failure.ts';
import { isObject } from './schema.ts';

/** Raised while reading when an answer grows past the limit: the rest is not read. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
}

/** Reads a body as text; an answer of more than `maxBytes` is refused as soon as that is known. */
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

/** Throws where fewer bytes came than the server announced: not every connection that ends early says so itself. */
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

/** Releases a body that is not read. */
export function cancelBody(response: Response): void {
  response.body?.cancel().catch(() => undefined);
}

/** Whether an answer is a web page (a proxy, a sign-in form) and so not the platform’s. */
export function isHtml(response: Response): boolean {
  return /^\s*(?:text\/html|application\/xhtml)/i.test(response.headers.get('content-type') ?? '');
}

const webPage =
  'it is a web page, not data. Check the tenant URL; a proxy or a sign-in page may also have answered in its place.';

/** The error for a web page where data was promised (an unknown route may answer 200 with one; docs/platform-api.md#signing-in). */
export const webPageError = (facts: CallFacts, status?: number): PlatformError => {
  const error = facts.op.host === 'data' ? pageOfDataApi(facts, status) : invalidResponse(facts, webPage);
  webPages.add(error);
  return error;
};

function pageOfDataApi(facts: CallFacts, status: number | undefined): PlatformError {
  const { op, host, requestId } = facts;
  const happened = `${host} answered with a web page instead of data${status === undefined ? '' : ` (status ${status})`}.`;
  const next = `Check ${addressName(op)}. A proxy or a sign-in page may also have answered in its place.`;
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

/** Whether an error says that the answer ended before it was whole: its connection broke, or its JSON has no end. */
export const isCut = (error: unknown): boolean => !isPlatformError(error) || cuts.has(error);

/** Whether an error says that something else than the platform answered, so that nothing is known of what was asked. */
export const isWebPage = (error: unknown): boolean => error instanceof Error && webPages.has(error);

/** Parses a JSON answer; an empty one reads as `undefined`. */
export function parseJson(facts: CallFacts, text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's own error would repeat a part of the body.
    if (text.trimStart().startsWith('<')) throw webPageError(facts);
    const error = invalidResponse(facts, 'it is not JSON, or it was cut off. Try again; a proxy may have changed it.');
    if (/^\s*[[{]/.test(text)) cuts.add(error);
    throw error;
  }
}

/** The message of a JSON-RPC error object, which the chat sends as a whole 200 body (docs/chat.md#errors). */
export function jsonRpcError(value: unknown): { readonly message: string } | undefined {
  if (!isObject(value) || !('error' in value)) return undefined;
  const { error } = value;
  if (typeof error === 'string') return { message: error };
  return isObject(error) ? { message: typeof error['message'] === 'string' ? error['message'] : '' } : undefined;
}
