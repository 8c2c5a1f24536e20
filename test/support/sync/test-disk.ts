import { chmodSync, linkSync, mkdtempSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Names the folder for linked folders and storages of tests, where it is not the one for temporary files. */
export const TEST_DISK = 'MODELBENCH_TEST_DISK';

/** A new folder on the disk that the sync engine is tested on, or on another one. */
export function newFolder(prefix: string, below = process.env[TEST_DISK] ?? tmpdir()): string {
  return mkdtempSync(path.join(below, prefix));
}

/** What not every disk has; a test that needs it asks first, because the disk is tried out rather than known by its name. */
export type DiskFeature = 'symbolic links' | 'hard links' | 'permissions' | 'holes';

const trials: Readonly<Record<DiskFeature, (file: string) => boolean>> = {
  'symbolic links': (file) => {
    symlinkSync(file, `${file}-link`);
    return true;
  },
  'hard links': (file) => {
    linkSync(file, `${file}-link`);
    return true;
  },
  permissions: (file) => {
    chmodSync(file, 0o600);
    return (statSync(file).mode & 0o777) === 0o600;
  },
  // Files may be larger than the disk where nothing was written into them.
  holes: (file) => {
    truncateSync(file, 1024 * 1024 * 1024);
    return true;
  },
};

/** Whether the disk that the sync engine is tested on has this; where it has not, the run says so. */
export function hasFeature(feature: DiskFeature): boolean {
  const folder = newFolder('sync-feature-');
  try {
    const file = path.join(folder, 'file');
    writeFileSync(file, 'x');
    if (trials[feature](file)) return true;
  } catch {
    // The disk refuses: it has no such thing.
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
  console.log(`not tried: this disk has no ${feature}`);
  return false;
}
