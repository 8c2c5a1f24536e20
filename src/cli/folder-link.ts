import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FolderLink, parseLink } from '#features/platform/link.ts';
import { ToolError } from '#tools/tool.ts';

/** The contents of `modelbench.json` of a folder; `undefined` where there is none, or a link to a file. Throws `ToolError` where it is wrong. */
export function folderLink(folder: string): FolderLink | undefined {
  const path = join(folder, 'modelbench.json');
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  const parsed = parseLink(readFileSync(path, 'utf8'));
  if (parsed.ok) return parsed.value;
  throw new ToolError('usage', parsed.error);
}
