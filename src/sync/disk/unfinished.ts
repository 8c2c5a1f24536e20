import path from 'node:path';
import type { Disk } from './disk.ts';
import { isOfEndedProcess } from './temporary-name.ts';

/** The names of our temporary files in the storage, as `Disk`, the trash and the lock create them (`stale`: earlier locks). */
const UNFINISHED = /\.(tmp|new|stale)$/;
/** Younger files of a process that may still run are left alone: it may be writing them. */
const OLD_MS = 24 * 60 * 60 * 1000;

/** Removes files that an ended process left unfinished in our storage folders. None of them was ever in use. */
export async function removeUnfinished(disk: Disk, folders: readonly string[], now: number): Promise<void> {
  for (const folder of folders) {
    for (const name of await disk.calls.names(folder).catch(() => [])) {
      if (!UNFINISHED.test(name)) continue;
      const file = path.join(folder, name);
      const known = await disk.calls.stat(file).catch(() => undefined);
      if (known && (isOfEndedProcess(name) || now - known.mtimeMs > OLD_MS)) await disk.discard(file);
    }
  }
}
