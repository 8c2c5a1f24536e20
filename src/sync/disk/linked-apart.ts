import type { Dirent } from 'node:fs';

/** Whether a folder with these entries has a link of its own, by which it is synced: with the folder around it, its files would go twice. */
export function hasLink(entries: readonly Dirent[]): boolean {
  return entries.some((entry) => entry.name === 'modelbench.json' && entry.isFile());
}
