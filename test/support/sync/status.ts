import type { SyncStatus } from '#sync/core/folder-sync.ts';
import type { SyncFacts } from '#sync/core/status/sync-facts.ts';
import { startingFacts } from '#sync/core/status/status.ts';
import { syncState } from '#sync/core/status/sync-state.ts';

/** Returns the status of a folder with only these facts, compared just now. */
export function statusWith(facts: Partial<SyncFacts>): SyncStatus {
  const waiting = facts.outbox?.length ?? 0;
  const all: SyncFacts = { ...startingFacts, lastChecked: 1, isCurrent: true, waiting, ...facts };
  return { ...all, state: syncState(all) };
}
