import type { Clock } from '#base/clock.ts';

const OFFLINE_PAUSES = [2000, 5000, 10_000, 30_000];

/** ms before the next attempt to reach a platform that did not answer. */
export function offlinePause(attempt: number): number {
  return OFFLINE_PAUSES[attempt] ?? 60_000;
}

/** Runs `work` again and again after a pause, in the background, until it answers true or the signal ends it. */
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
  // The only way out beside success is the signal.
  repeat().catch(() => undefined);
}
