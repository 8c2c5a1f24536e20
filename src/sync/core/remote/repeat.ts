import type { Clock } from '#base/clock.ts';

const OFFLINE_PAUSES = [2000, 5000, 10_000, 30_000];

/** Returns the ms until the next attempt to reach a platform that did not respond. */
export function offlinePause(attempt: number): number {
  return OFFLINE_PAUSES[attempt] ?? 60_000;
}

/** Runs `work` in the background, each time after a pause, until it resolves to true or the signal ends it. */
export function runUntil(
  clock: Clock,
  pause: (attempt: number) => number,
  signal: AbortSignal,
  work: () => Promise<boolean>,
): void {
  const repeat = async (): Promise<void> => {
    for (let attempt = 0; ; attempt++) {
      await clock.sleep(pause(attempt), signal);
      if (await work()) return;
    }
  };
  // `work` does not reject, so the only other way out is the signal.
  repeat().catch(() => undefined);
}
