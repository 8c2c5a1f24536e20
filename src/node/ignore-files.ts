import { lstatSync, readFileSync } from 'node:fs';
import { joinPath } from '#base/path.ts';
import type { IgnoreFile, IgnoreFileName } from '#sync/ignore.ts';

/** A longer one is no list of patterns. */
const MAX_BYTES = 1024 * 1024;

/** The ignore files in one folder, given the platform's path of it. Links and unreadable files count as none. */
export function ignoreFilesIn(absolute: string, folder: string, names: readonly IgnoreFileName[]): IgnoreFile[] {
  return names.flatMap((name) => {
    const text = textOf(`${absolute}/${name}`);
    return text === undefined ? [] : [{ folder, name, text }];
  });
}

/** Every folder from the linked one down to that of a path; paths are the platform's. */
export function foldersDownTo(path: string): readonly string[] {
  const folders = [''];
  for (const name of path.split('/').slice(0, -1)) folders.push(joinPath(folders.at(-1) ?? '', name));
  return folders;
}

function textOf(file: string): string | undefined {
  try {
    const stat = lstatSync(file);
    return stat.isFile() && stat.size <= MAX_BYTES ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
