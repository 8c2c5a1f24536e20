import type { PlatformError } from '#api/errors.ts';
import type { Operation } from '#api/operation.ts';

export interface RetryLimits {
  /** The maximum number of attempts of a call, including the first. */
  readonly attempts: number;
  /** The maximum of the first pause in milliseconds; it doubles with every attempt. */
  readonly backoffMs: number;
  /** The longest pause in milliseconds that the client chooses on its own. */
  readonly maxBackoffMs: number;
  /** The longest `Retry-After` in milliseconds that is waited for; longer ones are left to the caller. */
  readonly maxRetryAfterMs: number;
}

/** Whether sending the operation twice has the same effect as sending it once. */
export function isIdempotent(op: Pick<Operation, 'method' | 'idempotent'>): boolean {
  return op.idempotent ?? (op.method === 'GET' || op.method === 'PUT' || op.method === 'DELETE');
}

/**
 * Returns the milliseconds to wait before the next attempt, or `undefined` when there is none. Idempotent operations
 * are retried after a rate limit, a server error or a network error. Others are retried only after a rate limit with
 * `Retry-After`, which refused them before they did anything, and not if they replace a whole (`idempotent: false`),
 * which could be outdated by then. Backoff with full jitter; `random` returns 0 ≤ x < 1.
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

/** The longest `Retry-After` in seconds that is told apart from a longer one: 30 years. */
const LONGEST_RETRY_AFTER = 999_999_999;

/**
 * Parses a `Retry-After` header to seconds: a number of them or an HTTP date (RFC 9110 10.2.3). A number of any length counts, because
 * a server that asks for a long pause must not be taken for one that asks for none.
 */
export function retryAfterSeconds(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const value = header.trim();
  if (/^\d+$/.test(value)) return Math.min(LONGEST_RETRY_AFTER, Number(value));
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(date)) return undefined;
  return Math.min(LONGEST_RETRY_AFTER, Math.max(0, Math.ceil((date - now) / 1000)));
}

/** Says when to try again, of a pause in seconds: `in 90 s`, `in 90 min`, `in more than a day`. */
export function pauseText(seconds = 0): string {
  if (seconds === 0) return 'in a while';
  if (seconds > 86_400) return 'in more than a day';
  return seconds > 600 ? `in ${Math.ceil(seconds / 60)} min` : `in ${seconds} s`;
}
