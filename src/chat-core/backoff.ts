/** How a turn is tried again: doubling waits with full jitter, within these bounds. */
export interface RetryPolicy {
  readonly firstMs: number;
  readonly longestMs: number;
  /** Tries without any progress in between before the turn gives up. */
  readonly tries: number;
}

export const defaultRetry: RetryPolicy = { firstMs: 500, longestMs: 8_000, tries: 6 };

/** The same while the network is away: until it is back, and less often. */
export function whileOffline(policy: RetryPolicy): RetryPolicy {
  return { ...policy, longestMs: Math.max(policy.longestMs, 30_000), tries: Infinity };
}

/** The wait before the next try, in milliseconds; `attempt` counts from 1, `random` is in [0, 1). */
export function backoff(policy: RetryPolicy, attempt: number, random: number, wishMs?: number): number {
  const ceiling = Math.min(policy.longestMs, policy.firstMs * 2 ** (attempt - 1));
  return Math.max(wishMs ?? 0, Math.round(ceiling * (0.5 + random / 2)));
}
