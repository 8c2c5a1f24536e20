import type { BigIntStats } from 'node:fs';
import type { DiskCalls } from './disk-calls.ts';

/**
 * What a folder is known by, undefined when it is not a folder. Without the number of its device, which is another one after
 * each mount of btrfs, overlay and FUSE file systems.
 */
export function rootOf(calls: DiskCalls, folder: string): string | undefined {
  try {
    const stat = statOfRoot(calls, folder);
    return stat?.isDirectory() === true ? String(stat.ino) : undefined;
  } catch {
    return undefined;
  }
}

/** What the synced folder is: the only one that may be reached through a link, which was checked to stay inside. */
export function statOfRoot(calls: DiskCalls, folder: string): BigIntStats | undefined {
  const stat = calls.lstat(folder);
  return stat?.isSymbolicLink() === true ? calls.lstat(calls.realPath(folder)) : stat;
}
