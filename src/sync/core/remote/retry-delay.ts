import { isPlatformError } from '#api/errors.ts';

/** The longest wait within a run, in ms. */
const LONGEST_WAIT = 30_000;

/**
 * Returns the ms until the next attempt: what the server asked for, or else 250 ms, doubled with each attempt; at most the longest
 * wait. Without a pause where the key was refused, because there is a new one.
 */
export function delayBeforeRetry(attempt: number, error: Error): number {
  if (isPlatformError(error, 'auth')) return 0;
  const asked = isPlatformError(error) ? error.retryAfter : undefined;
  return Math.min(LONGEST_WAIT, asked === undefined ? 250 * 2 ** attempt : asked * 1000);
}

/** Whether the server asks for a longer wait than a run allows: then the effects are left for a later run. */
export function asksForLonger(error: Error): boolean {
  return isPlatformError(error) && (error.retryAfter ?? 0) * 1000 > LONGEST_WAIT;
}
