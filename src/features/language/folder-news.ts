import type { Clock } from '#base/clock.ts';
import type { Disposable } from '#base/disposable.ts';

/**
 * After folders came or went, ms: events that come together are reported once, and a checkout may still write into a folder
 * that is not watched yet.
 */
const TOLD_AFTER_MS = [50, 1000, 5000];

/** Reports folders that came or went, more than once after the last of them. */
export interface FolderNews extends Disposable {
  /** A folder came or went. */
  readonly heard: () => void;
}

/** Calls `report` several times after a folder changed, because a watcher may report it late; each further change starts that again. */
export function folderNews(clock: Clock, report: () => void): FolderNews {
  let current = new AbortController();
  const telling = async ({ signal }: AbortController): Promise<void> => {
    let waited = 0;
    for (const after of TOLD_AFTER_MS) {
      await clock.sleep(after - waited, signal);
      waited = after;
      report();
    }
  };
  return {
    heard: () => {
      current.abort();
      current = new AbortController();
      // Only the next news or the end cut it off.
      telling(current).catch(() => undefined);
    },
    dispose: () => current.abort(),
  };
}
