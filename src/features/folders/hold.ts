import type { PauseReason } from '#sync/core/status/sync-facts.ts';
import type { SyncSession } from './sync-sessions.ts';

/** Holds back what syncs would do automatically while `work` runs. */
export async function whileHeld<T>(
  sessions: readonly Pick<SyncSession, 'sync'>[],
  reason: PauseReason,
  work: () => Promise<T>,
): Promise<T> {
  for (const { sync } of sessions) sync.pause(reason);
  try {
    return await work();
  } finally {
    for (const { sync } of sessions) sync.resume(reason);
  }
}
