import { lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { originOf } from '#base/origin.ts';
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

type FoundLink = { readonly [Key in keyof FolderLink]?: FolderLink[Key] | undefined };

/**
 * Throws `ToolError` unless a folder is still linked as a command found it: a checkout may have replaced `modelbench.json`, and the
 * files with it.
 */
export function requireLink(folder: string, found: FoundLink): void {
  const now: FoundLink = folderLink(folder) ?? {};
  const isSame =
    now.deploymentId === found.deploymentId &&
    originOf(now.tenantUrl ?? '') === originOf(found.tenantUrl ?? '') &&
    (found.modelPath === undefined || now.modelPath === found.modelPath);
  if (isSame) return;
  throw new ToolError(
    'usage',
    'modelbench.json has changed since this began, so nothing was done: the folder may be linked to something else now. Run the command again.',
  );
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
