import { statSync } from 'node:fs';

/**
 * Returns a text that changes whenever one of some files is written, replaced, added or removed. This is much faster than reading
 * the files.
 */
export function stampOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
      return stat ? `${path}\0${stat.ino}\0${stat.size}\0${stat.mtimeNs}\0${stat.ctimeNs}` : path;
    })
    .join('\0\0');
}
