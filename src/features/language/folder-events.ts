import type { Clock } from '#base/clock.ts';
import type { Disposable } from '#base/disposable.ts';

/**
 * The times of the reports after a folder appeared or disappeared, in milliseconds: events that come together are reported once,
 * and a checkout may still write into a folder that is not watched yet.
 */
const TOLD_AFTER_MS = [50, 1000, 5000];

/** Reports folders that appeared or disappeared, several times after the last of them. */
export interface FolderEvents extends Disposable {
  /** Called when a folder appeared or disappeared. */
  readonly heard: () => void;
}

/** Calls `report` several times after a folder changed, because a watcher may notice it late; each further change starts over. */
export function folderEvents(clock: Clock, report: () => void): FolderEvents {
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
      // It rejects only when the next event or `dispose` aborts it.
      telling(current).catch(() => undefined);
    },
    dispose: () => current.abort(),
  };
}
