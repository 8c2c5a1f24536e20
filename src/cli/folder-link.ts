import { lstatSync, readFileSync } from 'node:fs';
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
  const parsed = parseLink(readFileSync(path, 'utf8'));
  if (parsed.ok) return parsed.value;
  throw new ToolError('usage', parsed.error);
}
