import { abortReason, asError, isCancelled } from '#base/async.ts';
import { LineSplitter, LineTooLongError } from '#base/lines.ts';
import { type Logger, silentLogger } from '#base/log.ts';
import { type ChatEvent, parseChatLine } from './chat-messages.ts';
import { PlatformError, isPlatformError } from '#api/errors.ts';

export interface StreamOptions {
  /** The operation's id, for errors. */
  readonly operation: string;
  readonly signal?: AbortSignal | undefined;
  /** The longest accepted line in bytes; default 64 MiB. */
  readonly maxLineBytes?: number | undefined;
  /** The longest slice of parsing before other work gets a turn, in milliseconds; default 8. */
  readonly sliceMs?: number | undefined;
  readonly now?: (() => number) | undefined;
  /** Gives other work in the process a turn. */
  readonly yieldNow?: (() => Promise<void>) | undefined;
  readonly logger?: Logger | undefined;
  /** Treat an incomplete last line as an error: for responses without a final event. */
  readonly isWhole?: true | undefined;
  /** The message for a body that is not lines of JSON; by default that of a chat. */
  readonly notLines?: string | undefined;
  /** Parses a line; by default `JSON.parse`. */
  readonly parse?: ((line: string) => unknown) | undefined;
}

/** The bytes of a response: a `Response`'s body, or chunks from any other source. */
export type ByteSource = AsyncIterable<Uint8Array>;

/**
 * Reads a chat stream (docs/chat.md#body-of-a-question) as batches of events, at least one batch per chunk; an empty
 * batch only shows that bytes arrived. An incomplete last line is dropped: the caller notices the missing final event.
 * Throws `PlatformError`: `network` (retryable) when the connection breaks, `invalidResponse` when the body is not a
 * chat stream.
 */
export async function* readChatEvents(source: ByteSource, options: StreamOptions): AsyncGenerator<ChatEvent[]> {
  const reported = new Set<string>();
  const logger = options.logger ?? silentLogger;
  for await (const values of readNdjson(source, options)) {
    const events: ChatEvent[] = [];
    for (const value of values) {
      const event = parseChatLine(value);
      if (event.kind !== 'ignored') events.push(event);
      else if (!reported.has(event.what)) {
        reported.add(event.what);
        logger.info('Ignored a part of the chat stream', { operation: options.operation, what: event.what });
      }
    }
    yield events;
  }
}

/**
 * Reads newline-delimited JSON as batches of parsed values. A body that is one JSON document over several lines (such
 * as an error object) is read as that document. Blank lines and CRLF are accepted.
 */
export async function* readNdjson(source: ByteSource, options: StreamOptions): AsyncGenerator<unknown[]> {
  const lines = new LineSplitter(options.maxLineBytes);
  const parser = new LineParser(options);
  for await (const chunk of translateErrors(source, options)) {
    yield* parser.parse(pushed(lines, chunk, options));
  }
  const last = lines.end();
  yield parser.finish(last);
}

/** Parses lines in slices of bounded time, and buffers a document over several lines. */
class LineParser {
  readonly #options: StreamOptions;
  readonly #json: (line: string) => unknown;
  readonly #now: () => number;
  readonly #sliceMs: number;
  readonly #yieldNow: () => Promise<void>;
  /** The lines of a body whose first line is not JSON: perhaps one document over several lines. */
  #document: string[] | undefined;
  #seen = 0;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#json = options.parse ?? ((line) => JSON.parse(line) as unknown);
    this.#now = options.now ?? (() => performance.now());
    this.#sliceMs = options.sliceMs ?? 8;
    this.#yieldNow = options.yieldNow ?? nextTask;
  }

  async *parse(lines: readonly string[]): AsyncGenerator<unknown[]> {
    let batch: unknown[] = [];
    let started = this.#now();
    let unchecked = 0;
    for (const line of lines) {
      this.#take(line, batch);
      // Reading the clock costs as much as a tenth of a small line.
      unchecked += line.length;
      if (unchecked < CHECKED_LENGTH) continue;
      unchecked = 0;
      if (this.#now() - started < this.#sliceMs) continue;
      yield batch;
      batch = [];
      await this.#yieldNow();
      started = this.#now();
    }
    yield batch;
  }

  /**
   * Parses what is left without a final newline. A body that began as JSON but is incomplete was cut off: it yields
   * nothing, or throws with `isWhole`.
   */
  finish(last: string | undefined): unknown[] {
    const rest = this.#document ? [...this.#document, last ?? ''].join('\n') : (last ?? '');
    if (rest.trim() === '') return [];
    const value = parsed(rest, this.#json);
    if (value) return [value.value];
    if (this.#seen === 0 && !rest.trimStart().startsWith('{')) throw this.#notAStream();
    if (this.#options.isWhole) throw networkError(this.#options, new Error('The last line is cut off.'));
    return [];
  }

  #take(line: string, batch: unknown[]): void {
    if (this.#document) {
      if (this.#document.length > MAX_DOCUMENT_LINES) throw this.#notAStream();
      this.#document.push(line);
      return;
    }
    // A proxy that takes the stream for server-sent events keeps the connection open with comments.
    if (line === '' || line.startsWith(':')) return;
    try {
      batch.push(this.#json(line));
      this.#seen += 1;
    } catch {
      if (line.trim() === '') return;
      // A broken line in the middle means a broken connection; the next one recovers from the server's state.
      if (this.#seen > 0) throw networkError(this.#options, new Error('A line of the stream is not JSON.'));
      this.#document = [line];
    }
  }

  #notAStream(): PlatformError {
    return new PlatformError({
      kind: 'invalidResponse',
      operation: this.#options.operation,
      message:
        this.#options.notLines ??
        'The address did not return a chat stream. Check the Chat API URL of this deployment.',
    });
  }
}

/** Characters parsed between two checks of the clock: well under a millisecond of work. */
const CHECKED_LENGTH = 4_096;
const MAX_DOCUMENT_LINES = 10_000;

function parsed(line: string, json: (line: string) => unknown): { readonly value: unknown } | undefined {
  try {
    return { value: json(line) };
  } catch {
    return undefined;
  }
}

function pushed(lines: LineSplitter, chunk: Uint8Array, options: StreamOptions): string[] {
  try {
    return lines.push(chunk);
  } catch (error) {
    if (!(error instanceof LineTooLongError)) throw error;
    throw new PlatformError({
      kind: 'invalidResponse',
      operation: options.operation,
      message: `The answer holds a line that is too long to read. ${error.message}`,
      cause: error,
    });
  }
}

/** Yields chunks until the source ends, translates errors, and releases the source. */
async function* translateErrors(source: ByteSource, options: StreamOptions): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of source) {
      if (options.signal?.aborted) throw abortReason(options.signal);
      yield chunk;
    }
  } catch (error) {
    if (options.signal?.aborted) throw abortReason(options.signal);
    if (isPlatformError(error) || isCancelled(error)) throw error;
    throw networkError(options, asError(error));
  }
}

function networkError(options: StreamOptions, cause: Error): PlatformError {
  return new PlatformError({
    kind: 'network',
    operation: options.operation,
    message: 'The connection broke while the answer was coming in.',
    retryable: true,
    cause,
  });
}

/** Resolves in a later task, so that timers and input are handled in between. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.addEventListener('message', () => {
      channel.port1.close();
      resolve();
    });
    channel.port1.start();
    channel.port2.postMessage(undefined);
  });
}
