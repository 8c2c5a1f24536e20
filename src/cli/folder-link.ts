import { lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type FolderLink, parseLink } from '#features/platform/link.ts';
import { ToolError } from '#tools/tool.ts';

/**
 * Returns the contents of a folder's `modelbench.json`; `undefined` if there is none, or if it is a symbolic link. Throws
 * `ToolError` if it is invalid.
 */
export function folderLink(folder: string): FolderLink | undefined {
  const path = join(folder, 'modelbench.json');
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  // Editors on some systems add a byte order mark.
  const parsed = parseLink(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  if (parsed.ok) return parsed.value;
  throw new ToolError('usage', parsed.error);
}

/** Throws `ToolError` unless a path leads to a folder: a misspelt one would count as a project that is not linked. */
export function requireFolder(path: string): void {
  if (!isFolder(path)) throw new ToolError('usage', `“${path}” is not a folder.`);
}

/** Whether a path leads to a folder, also by a link; throws only where permission is denied. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') throw error;
    return false;
  }
}
