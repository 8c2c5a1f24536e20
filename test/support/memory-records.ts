import type { UnsentRecord, UnsentRecords } from '#shell/unsent-record.ts';

/** Unsent texts of documents, in memory. */
export function memoryRecords(stored = new Map<string, UnsentRecord>()): UnsentRecords {
  return {
    read: async (path) => Promise.resolve(stored.get(path)),
    write: async (record) => Promise.resolve(void stored.set(record.path, record)),
    remove: async (path) => Promise.resolve(void stored.delete(path)),
  };
}
