import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Names the folder for linked folders and storages of tests, where it is not the one for temporary files. */
export const TEST_DISK = 'MODELBENCH_TEST_DISK';

/** A new folder on the disk that the sync engine is tested on, or on another one. */
export function newFolder(prefix: string, below = process.env[TEST_DISK] ?? tmpdir()): string {
  return mkdtempSync(path.join(below, prefix));
}
