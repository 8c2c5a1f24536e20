import { joinPath } from '#base/path.ts';
import type { IgnoreFile, IgnoreFileName } from '#sync/core/selection/ignore.ts';
import { codeOf } from '#base/system-error.ts';
import type { DiskCalls } from './disk-calls.ts';
import { readStable } from './read-file.ts';

/** A longer file is not a list of patterns. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads the ignore files in one folder, given its path on the platform. Links and files without read permission count
 * as missing. Throws if a file just cannot be read now: what it ignores must not be uploaded.
 */
export function ignoreFilesIn(
  calls: DiskCalls,
  absolute: string,
  folder: string,
  names: readonly IgnoreFileName[],
): IgnoreFile[] {
  return names.flatMap((name) => {
    const text = textOf(calls, `${absolute}/${name}`);
    return text === undefined ? [] : [{ folder, name, text }];
  });
}

/** Returns every folder from the linked one down to that of a path; paths are the platform's. */
export function foldersDownTo(path: string): readonly string[] {
  const folders = [''];
  for (const name of path.split('/').slice(0, -1)) folders.push(joinPath(folders.at(-1) ?? '', name));
  return folders;
}

function textOf(calls: DiskCalls, file: string): string | undefined {
  try {
    const stat = calls.lstat(file);
    if (stat?.isFile() !== true || stat.size > MAX_BYTES) return undefined;
    return readStable(calls, file, true)?.bytes?.toString('utf8');
  } catch (error) {
    if (['EMFILE', 'ENFILE', 'EBUSY', 'EIO', 'EAGAIN'].includes(codeOf(error))) throw error;
    return undefined;
  }
}
