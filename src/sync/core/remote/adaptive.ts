import { isPlatformError } from '#api/errors.ts';
import { abortReason, asError } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { delayBeforeRetry } from './retry-delay.ts';

const MIN = 4;
/** The number of tasks under way at first, and at most. */
export const ADAPTIVE_START = MIN * 2;
export const ADAPTIVE_MAX = 32;
const ATTEMPTS = 5;

/**
 * Runs `work` over `items` with between 4 and 32 under way: twice as many after each round without trouble, half as
 * many when the server is busy or unreachable. Work that failed for such a reason is retried; any other failure ends
 * the run.
 */
export async function runAdaptive<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal | undefined },
): Promise<void> {
  let limit = ADAPTIVE_START;
  let calm = 0;
  let failure: Error | undefined;
  const attempt = async (item: T): Promise<void> => {
    for (let tries = 0; ; tries++) {
      try {
        await work(item);
        if (++calm >= limit) {
          calm = 0;
          limit = Math.min(ADAPTIVE_MAX, limit * 2);
        }
        return;
      } catch (thrown) {
        const error = asError(thrown);
        if (!isTransient(error) || tries + 1 >= ATTEMPTS || signal?.aborted === true) throw error;
        calm = 0;
        limit = Math.max(MIN, Math.floor(limit / 2));
        await clock.sleep(delayBeforeRetry(tries, error), signal);
      }
    }
  };
  const running = new Set<Promise<void>>();
  const start = (item: T): void => {
    const run: Promise<void> = attempt(item)
      .catch((thrown: unknown) => {
        failure ??= asError(thrown);
      })
      .finally(() => running.delete(run));
    running.add(run);
  };
  for (const item of items) {
    while (running.size >= limit) await Promise.race(running);
    if (signal?.aborted === true) failure ??= abortReason(signal);
    if (failure) break;
    start(item);
  }
  await Promise.all(running);
  if (failure) throw failure;
}

/** Checks for a failure that may be over at the next attempt. */
export function isTransient(error: Error): boolean {
  return isPlatformError(error) && ['network', 'timeout', 'server', 'rateLimit'].includes(error.kind);
}
