import type { Client } from '#api/client/client.ts';
import { isPlatformError, type PlatformError } from '#api/errors.ts';
import type { Operation } from '#api/operation.ts';
import { decodedText } from '#base/decoded-text.ts';
import { asError, CancelledError, isCancelled } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { formatBytes } from '#base/words.ts';
import type { ProductionPass } from '#features/platform/index.ts';
import { gatedRequest, gatedTarget } from './gated-request.ts';
import { sendable } from './request-document.ts';
import type { RequestParts } from './request-template.ts';

/** The format of a response's text. */
export type AnswerFormat = 'json' | 'ndjson' | 'csv' | 'text';

/** The result of a request, as the user sees it; an error is a result too. */
export interface ApiAnswer {
  readonly ok: boolean;
  /** Missing if nothing was sent or no response came. */
  readonly status: number | undefined;
  /** From sending the request to the last byte, in milliseconds. */
  readonly milliseconds: number;
  /** Size of the decompressed body. */
  readonly bytes: number;
  readonly format: AnswerFormat;
  readonly text: string;
  /** Why the body is incomplete: it is too large, the user stopped it, or the connection broke. */
  readonly cut?: Cut | undefined;
}

type Cut = 'large' | 'stopped' | 'broken';

/** The received part of a stream that is still arriving. */
export type ArrivingAnswer = Pick<ApiAnswer, 'status' | 'format' | 'text' | 'bytes' | 'milliseconds'>;

export interface RequestOptions {
  readonly client: Client;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal?: AbortSignal | undefined;
  /** The maximum size of a body that is read, in bytes. */
  readonly maxBytes?: number | undefined;
  /** Called with the number of bytes read so far while a body arrives. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
  /** Called for every chunk of a stream of JSON lines: `snapshot` returns what has arrived so far. */
  readonly onArriving?: ((snapshot: () => ArrivingAnswer) => void) | undefined;
  /** Removes the credential from a text, because a server may repeat what it was sent. */
  readonly hide: (text: string) => string;
  /** The pass of the production gate, for a request that can reach production (docs/security.md#the-rules). */
  readonly pass?: ProductionPass | undefined;
}

const defaultMaxBytes = 20 * 1024 * 1024;

/**
 * Sends a request and reads the whole response. A refusal, an invalid request and a broken connection are also results, with the
 * problem as JSON. A stream of JSON lines that is stopped or breaks keeps what arrived. Rejects only if it was cancelled or
 * because of a bug.
 */
export async function runRequest(op: Operation, chunks: RequestParts, options: RequestOptions): Promise<ApiAnswer> {
  const started = options.clock.now();
  const took = (): number => Math.max(0, Math.round(options.clock.now() - started));
  try {
    const request = sendable(op, chunks) as object;
    requirePass(op, chunks, options.pass);
    const response = await options.client.open(op, request, {
      signal: options.signal,
      beforeRetry: options.pass?.beforeRetry,
    });
    const { status } = response;
    const format = formatOf(op, response.headers.get('content-type') ?? '');
    const body = new Body();
    const snapshot = (): ArrivingAnswer => {
      return { status, milliseconds: took(), bytes: body.size, format, text: options.hide(body.text()) };
    };
    const cut = await readBody(response, body, {
      ...options,
      keeps: format === 'ndjson',
      onPart: () => {
        options.onProgress?.(body.size);
        if (format === 'ndjson') options.onArriving?.(snapshot);
      },
    });
    const whole = snapshot();
    const text = format === 'json' && cut === undefined ? indented(whole.text) : whole.text;
    return { ok: cut !== 'broken', ...whole, text, ...(cut && { cut }) };
  } catch (error) {
    if (options.signal?.aborted === true || isCancelled(error)) throw new CancelledError();
    if (!isPlatformError(error)) throw asError(error);
    return refusal(error, took(), options);
  }
}

/** Throws `Error` if a request can reach production and has no pass for it. */
function requirePass(op: Operation, chunks: RequestParts, pass: ProductionPass | undefined): void {
  const gated = gatedRequest(op, chunks, pass?.target.accountId ?? '');
  if (!gated) return;
  if (!pass) throw new Error(`${op.id} was not confirmed.`);
  pass.use(gated.step, gatedTarget(gated));
}

/** Returns an error as a document for the user, without a stack. */
function refusal(error: PlatformError, milliseconds: number, { hide }: RequestOptions): ApiAnswer {
  const { kind, status, message, field, reason, retryAfter, requestId, body } = error;
  const shown = { error: { kind, status, message, field, reason, retryAfter, requestId }, body };
  const text = hide(`${JSON.stringify(shown, undefined, 2)}\n`);
  const bytes = body === undefined ? 0 : new TextEncoder().encode(JSON.stringify(body)).length;
  return { ok: false, status, milliseconds, bytes, format: 'json', text };
}

interface Reading extends Pick<RequestOptions, 'maxBytes' | 'signal'> {
  /** Whether the received part is kept when the request is stopped. */
  readonly keeps: boolean;
  readonly onPart: () => void;
}

/** Reads the whole body; resolves to the reason if it could not. */
async function readBody(response: Response, body: Body, reading: Reading): Promise<Cut | undefined> {
  if (!response.body) return undefined;
  const { signal, keeps } = reading;
  const reader = response.body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  const isStopped = (): boolean => signal?.aborted === true;
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    const cut = await fill(body, reader, reading);
    if (cut === 'large') cancel();
    return isStopped() ? stopped(keeps && body.size > 0) : cut;
  } catch (error) {
    if (error instanceof CancelledError) throw error;
    // Only the connection can fail here.
    return isStopped() ? stopped(keeps && body.size > 0) : 'broken';
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

async function fill(
  body: Body,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { maxBytes = defaultMaxBytes, signal, onPart }: Reading,
): Promise<'large' | undefined> {
  while (body.size < maxBytes) {
    const { done, value } = await reader.read();
    if (done || signal?.aborted === true) return undefined;
    body.add(value);
    onPart();
  }
  body.keep(maxBytes);
  return 'large';
}

function stopped(keeps: boolean): Cut {
  if (!keeps) throw new CancelledError();
  return 'stopped';
}

/** The bytes of a body as they arrive. */
class Body {
  #chunks: Uint8Array[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
  }

  keep(bytes: number): void {
    this.#chunks = [this.#whole().subarray(0, bytes)];
    this.#size = Math.min(this.#size, bytes);
  }

  text(): string {
    return decodedText(this.#whole());
  }

  #whole(): Uint8Array {
    const [first, ...more] = this.#chunks;
    if (first && more.length === 0) return first;
    const whole = new Uint8Array(this.#size);
    let at = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    this.#chunks = [whole];
    return whole;
  }
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

/** Returns `200 · 12 ms · 3.4 KB`, or a text in place of the status. */
export function answerLine(answer: ApiAnswer): string {
  const cut = answer.cut ? ` (${cutNotes[answer.cut]})` : '';
  return `${answer.status ?? 'No answer'} · ${duration(answer.milliseconds)} · ${formatBytes(answer.bytes)}${cut}`;
}

const cutNotes: Readonly<Record<Cut, string>> = {
  large: 'truncated',
  stopped: 'stopped',
  broken: 'the connection was lost',
};

function duration(milliseconds: number): string {
  return milliseconds < 10_000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** The file extension of a response's document, from which VS Code derives its language. */
export const extensionOf: Readonly<Record<AnswerFormat, string>> = {
  json: 'json',
  ndjson: 'jsonl',
  csv: 'csv',
  text: 'txt',
};
