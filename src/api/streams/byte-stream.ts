import { abortable } from '#base/async.ts';
import { requireWhole } from '#api/client/answer.ts';
import { exportAuditLog } from '#api/resources/audit.ts';
import type { Client } from '#api/client/client.ts';
import { isPlatformError, PlatformError } from '#api/errors.ts';
import { plainName } from '#api/client/failure.ts';
import type { NamedOperation, RequestOf } from '#api/operation.ts';

export interface ByteStreamOptions {
  readonly signal?: AbortSignal | undefined;
  /** The longest time without a byte, in milliseconds; default 60,000. */
  readonly idleMs?: number | undefined;
}

/**
 * Yields the bytes of an open response as they arrive, without buffering them. Throws `PlatformError`: `network` when
 * the connection breaks, `timeout` when nothing arrives, `cancelled`. A reader that stops early closes the connection.
 */
export async function* readBytes(
  response: Response,
  operation: NamedOperation,
  options: ByteStreamOptions = {},
): AsyncGenerator<Uint8Array, void> {
  const reader = response.body?.getReader();
  if (!reader) return;
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await within(
        reader.read().then((step) => {
          if (step.done) requireWhole(response, size);
          return step;
        }),
        operation,
        options,
      );
      if (done) return;
      size += value.byteLength;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

async function within<T>(work: Promise<T>, operation: NamedOperation, options: ByteStreamOptions): Promise<T> {
  const idleMs = options.idleMs ?? 60_000;
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(), idleMs);
  const signal = options.signal ? AbortSignal.any([options.signal, idle.signal]) : idle.signal;
  try {
    return await abortable(work, signal);
  } catch (error) {
    throw broken(error, operation, options.signal?.aborted ?? false, idle.signal.aborted, idleMs);
  } finally {
    clearTimeout(timer);
  }
}

function broken(
  error: unknown,
  operation: NamedOperation,
  cancelled: boolean,
  idle: boolean,
  idleMs: number,
): PlatformError {
  if (isPlatformError(error)) return error;
  if (cancelled)
    return new PlatformError({
      kind: 'cancelled',
      operation: operation.id,
      message: `${plainName(operation)} was cancelled.`,
    });
  if (idle) {
    return new PlatformError({
      kind: 'timeout',
      operation: operation.id,
      message: `${plainName(operation)} sent nothing more for ${Math.max(1, Math.round(idleMs / 1000))} s. Try again.`,
    });
  }
  return brokenStream(operation);
}

/** Returns the error for a stream that ended before the response was complete. */
export function brokenStream(operation: NamedOperation): PlatformError {
  return new PlatformError({
    kind: 'network',
    operation: operation.id,
    message: `The connection broke before the answer to ${plainName(operation)} was complete. Try again.`,
    retryable: true,
  });
}

/** Streams the audit log as CSV bytes (docs/platform-api.md#exportauditlog). */
export async function* auditLogCsv(
  client: Client,
  query: NonNullable<RequestOf<typeof exportAuditLog>['query']> = {},
  options: ByteStreamOptions = {},
): AsyncGenerator<Uint8Array, void> {
  const response = await client.open(exportAuditLog, { query }, { signal: options.signal });
  yield* readBytes(response, exportAuditLog, options);
}
