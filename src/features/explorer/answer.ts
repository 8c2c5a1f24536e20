import type { Client } from '#api/client.ts';
import { isPlatformError, type PlatformError } from '#api/errors.ts';
import type { Operation } from '#api/operation.ts';
import { asError, CancelledError, isCancelled } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { sendable } from './request-document.ts';
import type { RequestParts } from './request-template.ts';

/** How an answer's text is written. */
export type AnswerFormat = 'json' | 'ndjson' | 'csv' | 'text';

/** What came back, as a person sees it: also a refusal is an answer. */
export interface ApiAnswer {
  readonly ok: boolean;
  /** Missing where nothing was sent or no answer came. */
  readonly status: number | undefined;
  /** From sending to the last byte, in milliseconds. */
  readonly milliseconds: number;
  /** Size of the body as it came, decompressed. */
  readonly bytes: number;
  readonly format: AnswerFormat;
  readonly text: string;
  /** Only the beginning is shown. */
  readonly truncated: boolean;
}

export interface RunOptions {
  readonly client: Client;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal?: AbortSignal | undefined;
  /** The most that is read of a body, in bytes. */
  readonly maxBytes?: number | undefined;
  /** Called with the bytes read so far, while a body arrives. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
  /** Takes the credential out of a text: a server may repeat what it was sent. */
  readonly hide: (text: string) => string;
}

const defaultMaxBytes = 20 * 1024 * 1024;

/**
 * Sends a request and reads its answer to the end. A refusal, a wrong request and a broken connection are answers too,
 * with what is wrong as JSON. Rejects only when it was cancelled, or with a bug.
 */
export async function runRequest(op: Operation, parts: RequestParts, options: RunOptions): Promise<ApiAnswer> {
  const started = options.clock.now();
  const took = (): number => Math.max(0, Math.round(options.clock.now() - started));
  try {
    const request = sendable(op, parts) as object;
    const response = await options.client.open(op, request, { signal: options.signal });
    const { bytes, truncated } = await readBody(response, options);
    const format = formatOf(op, response.headers.get('content-type') ?? '');
    const raw = options.hide(new TextDecoder().decode(bytes));
    const text = format === 'json' && !truncated ? indented(raw) : raw;
    const size = bytes.length;
    return { ok: true, status: response.status, milliseconds: took(), bytes: size, format, text, truncated };
  } catch (error) {
    if (options.signal?.aborted === true || isCancelled(error)) throw new CancelledError();
    if (!isPlatformError(error)) throw asError(error);
    return refusal(error, took(), options);
  }
}

/** The refusal as a document: what a person needs, never a stack. */
function refusal(error: PlatformError, milliseconds: number, { hide }: RunOptions): ApiAnswer {
  const { kind, status, message, field, reason, retryAfter, requestId, body } = error;
  const shown = { error: { kind, status, message, field, reason, retryAfter, requestId }, body };
  const text = hide(`${JSON.stringify(shown, undefined, 2)}\n`);
  const bytes = body === undefined ? 0 : new TextEncoder().encode(JSON.stringify(body)).length;
  return { ok: false, status, milliseconds, bytes, format: 'json', text, truncated: false };
}

async function readBody(
  response: Response,
  { maxBytes = defaultMaxBytes, onProgress, signal }: RunOptions,
): Promise<{ readonly bytes: Uint8Array; readonly truncated: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  const cancel = (): void => void reader?.cancel().catch(() => undefined);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    while (size < maxBytes) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (signal?.aborted === true) throw new CancelledError();
      if (done) return { bytes: joined(chunks, size), truncated: false };
      chunks.push(value);
      size += value.length;
      onProgress?.(size);
    }
    cancel();
    return { bytes: joined(chunks, size).subarray(0, maxBytes), truncated: true };
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function formatOf({ answerKind }: Operation, contentType: string): AnswerFormat {
  if (/ndjson|jsonl/i.test(contentType)) return 'ndjson';
  if (/json/i.test(contentType)) return answerKind === 'ndjson' ? 'ndjson' : 'json';
  if (/csv/i.test(contentType)) return 'csv';
  if (contentType === '' && answerKind !== 'none') return answerKind;
  return 'text';
}

function indented(text: string): string {
  try {
    return `${JSON.stringify(JSON.parse(text), undefined, 2)}\n`;
  } catch {
    return text;
  }
}

/** `200 · 12 ms · 3.4 KB`, or what there is instead of a status. */
export function answerLine(answer: ApiAnswer): string {
  const cut = answer.truncated ? ' (only the beginning)' : '';
  return `${answer.status ?? 'No answer'} · ${duration(answer.milliseconds)} · ${size(answer.bytes)}${cut}`;
}

function duration(milliseconds: number): string {
  return milliseconds < 10_000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** The ending of an answer's document, by which the editor chooses its language. */
export const extensionOf: Readonly<Record<AnswerFormat, string>> = {
  json: 'json',
  ndjson: 'jsonl',
  csv: 'csv',
  text: 'txt',
};
