import type { PlatformError } from './errors.ts';
import type { Operation } from './operation.ts';

export interface RetryLimits {
  /** How often a call is sent at most, the first time included. */
  readonly attempts: number;
  /** The first pause's ceiling in milliseconds; it doubles with every attempt. */
  readonly backoffMs: number;
  /** The longest pause in milliseconds that the client chooses itself. */
  readonly maxBackoffMs: number;
  /** The longest `Retry-After` in milliseconds that is waited for; a longer one is the caller's business. */
  readonly maxRetryAfterMs: number;
}

/** Whether sending the operation twice does no more than sending it once. */
export function isIdempotent(op: Pick<Operation, 'method' | 'idempotent'>): boolean {
  return op.idempotent ?? (op.method === 'GET' || op.method === 'PUT' || op.method === 'DELETE');
}

/**
 * How many milliseconds to wait before the next attempt, or `undefined` when there is none. Only where it is safe: a
 * rate limit was refused before it did anything, but what replaces a whole (`idempotent: false`) would be older by then; after a server or network error only idempotent operations go again.
 * Backoff with full jitter; `random` gives 0 ≤ x < 1.
 */
export function retryPause(
  op: Pick<Operation, 'method' | 'idempotent'>,
  error: PlatformError,
  attempt: number,
  limits: RetryLimits,
  random: () => number,
): number | undefined {
  if (attempt >= limits.attempts || !mayRetry(op, error)) return undefined;
  if (error.retryAfter !== undefined) {
    const wanted = error.retryAfter * 1000;
    return wanted <= limits.maxRetryAfterMs ? wanted : undefined;
  }
  return random() * Math.min(limits.maxBackoffMs, limits.backoffMs * 2 ** (attempt - 1));
}

function mayRetry(op: Pick<Operation, 'method' | 'idempotent'>, error: PlatformError): boolean {
  if (error.kind === 'rateLimit')
    return isIdempotent(op) || (error.retryAfter !== undefined && op.idempotent !== false);
  return (error.kind === 'server' || error.kind === 'network') && error.retryable && isIdempotent(op);
}

/** Seconds from a `Retry-After` header: a number of them or an HTTP date (RFC 9110 10.2.3). */
export function retryAfterSeconds(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const value = header.trim();
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
