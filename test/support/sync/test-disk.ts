import { chmodSync, linkSync, mkdtempSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Names the folder for the tests' linked folders and storages, if it is not the one for temporary files. */
export const TEST_DISK = 'MODELBENCH_TEST_DISK';

/** Creates a new folder on the disk on which the sync engine is tested, or on another one. */
export function newFolder(prefix: string, below = process.env[TEST_DISK] ?? tmpdir()): string {
  return mkdtempSync(path.join(below, prefix));
}

/** A feature that not every disk has; tests check for it, because a disk's name does not reveal its features. */
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
  // A file may be larger than the disk if no data was written to it.
  holes: (file) => {
    truncateSync(file, 1024 * 1024 * 1024);
    return true;
  },
};

/** Whether the test disk has a feature; if it does not, the test run reports that. */
export function hasFeature(feature: DiskFeature): boolean {
  const folder = newFolder('sync-feature-');
  try {
    const file = path.join(folder, 'file');
    writeFileSync(file, 'x');
    if (trials[feature](file)) return true;
  } catch {
    // The disk lacks the feature.
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
  console.log(`not tried: this disk has no ${feature}`);
  return false;
}
