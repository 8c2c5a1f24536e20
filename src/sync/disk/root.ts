import type { BigIntStats } from 'node:fs';
import type { DiskCalls } from './disk-calls.ts';

/**
 * Returns the identity of a folder, undefined when it is not a folder. It excludes the device number, which changes
 * with each mount of btrfs, overlay and FUSE file systems.
 */
export function rootOf(calls: DiskCalls, folder: string): string | undefined {
  try {
    const stat = statOfRoot(calls, folder);
    return stat?.isDirectory() === true ? String(stat.ino) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the stats of the synced folder: the only one that may be a link, which was checked to stay inside. */
export function statOfRoot(calls: DiskCalls, folder: string): BigIntStats | undefined {
  const stat = calls.lstat(folder);
  return stat?.isSymbolicLink() === true ? calls.lstat(calls.realPath(folder)) : stat;
}
