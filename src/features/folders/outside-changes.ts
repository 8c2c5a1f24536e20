import type { Clock } from '#base/clock.ts';
import { type Disposable, DisposableStore, toDisposable } from '#base/disposable.ts';
import type { Event } from '#base/event.ts';
import type { SyncSessions } from './sync-sessions.ts';

/** Changes within this time (a checkout, a generator) lead to one check, ms. */
const TOGETHER_MS = 500;

/**
 * Compares both sides after something other than an editor changed a linked folder. The event only names the folder: watchers
 * miss changes, so nothing is concluded from the files in it.
 */
export function refreshAfterChanges(
  changed: Event<string>,
  syncs: Pick<SyncSessions, 'ofFolder'>,
  clock: Clock,
): Disposable {
  const owned = new DisposableStore();
  const ended = new AbortController();
  const waiting = new Set<string>();
  const refresh = async (folderId: string): Promise<void> => {
    waiting.add(folderId);
    await clock.sleep(TOGETHER_MS, ended.signal);
    waiting.delete(folderId);
    await syncs.ofFolder(folderId)?.sync.plan();
  };
  owned.add(
    changed((folderId) => {
      // A failed comparison is in the sync's status.
      if (!waiting.has(folderId)) refresh(folderId).catch(() => undefined);
    }),
  );
  owned.add(toDisposable(() => ended.abort()));
  return owned;
}
