import type { HistoryAction, HistoryStore } from '#sync/core/undo/history.ts';

/** Reports each run that is recorded in a history, once it is stored. */
export function observedHistory(history: HistoryStore, report: (action: HistoryAction) => void): HistoryStore {
  return {
    list: async () => history.list(),
    append: async (run) => {
      try {
        await history.append(run);
      } finally {
        // A run that could not be written is listed as long as the window is open.
        report(run.action);
      }
    },
  };
}
