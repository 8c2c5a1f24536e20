/** How a turn is retried: the delay doubles, with jitter, within these bounds. */
export interface RetryPolicy {
  readonly firstMs: number;
  readonly longestMs: number;
  /** Attempts without any progress before the turn gives up. */
  readonly tries: number;
}

export const defaultRetry: RetryPolicy = { firstMs: 500, longestMs: 8_000, tries: 6 };

/** Returns the policy while the network is down: retry less often, but without a limit. */
export function whileOffline(policy: RetryPolicy): RetryPolicy {
  return { ...policy, longestMs: Math.max(policy.longestMs, 30_000), tries: Infinity };
}

/**
 * Returns the delay before the next attempt in milliseconds; `attempt` counts from 1, `random` is in [0, 1), `wishMs` is the
 * minimum that the platform asked for.
 */
export function backoff(policy: RetryPolicy, attempt: number, random: number, wishMs?: number): number {
  const ceiling = Math.min(policy.longestMs, policy.firstMs * 2 ** (attempt - 1));
  return Math.max(wishMs ?? 0, Math.round(ceiling * (0.5 + random / 2)));
}
