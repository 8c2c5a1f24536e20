import { readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { foldName } from '#base/file-names.ts';
import { FileProblem } from '#sync/core/ports.ts';
import { codeOf } from '#base/system-error.ts';
import { Disk } from './disk.ts';

/**
 * Throws a `FileProblem` unless a folder really lies inside the linked folder after all symbolic links are resolved.
 * The linked folder itself may be reached through a link, because the user opened it that way.
 */
export function requireInside(folder: string, linkFolder: string, disk = new Disk()): void {
  const outer = realPathOf(disk, linkFolder);
  const inner = folder === linkFolder ? outer : realPathOf(disk, folder);
  if (outer !== undefined && inner !== undefined && contains(outer, inner)) return;
  const name = path.relative(linkFolder, folder) || path.basename(folder);
  throw new FileProblem(
    'blocked',
    `The folder ${name} leads out of the linked folder through a symbolic link. Replace the link with a real folder, or correct "modelPath" in modelbench.json.`,
  );
}

/**
 * Throws a `FileProblem` unless a file may be written: there must not be a symbolic link on the way from the linked
 * folder to it, nor may it be a link itself. `file` is `/`-relative to the linked folder.
 */
export function requireRealFile(linkFolder: string, file: string): void {
  const target = path.resolve(linkFolder, file);
  if (!contains(path.resolve(linkFolder), target) || target === path.resolve(linkFolder)) {
    throw new FileProblem('blocked', `${file}: this path is not inside the linked folder.`);
  }
  requireInside(path.dirname(target), linkFolder);
  const stat = new Disk().stat(target);
  if (stat === undefined || stat.isFile()) return;
  const what = stat.isSymbolicLink() ? 'a symbolic link' : 'not a regular file';
  throw new FileProblem('blocked', `${file} is ${what}. Nothing was written.`);
}

/**
 * Returns the existing path that differs from `file` only in letter case or in Unicode form; on some systems, it is the
 * same file.
 */
export function caseVariantOf(linkFolder: string, file: string): string | undefined {
  let folder = linkFolder;
  const found: string[] = [];
  let differs = false;
  for (const segment of file.split('/')) {
    const names = namesIn(folder);
    const name = names.includes(segment) ? segment : names.find((each) => foldName(each) === foldName(segment));
    if (name === undefined) return undefined;
    differs ||= name !== segment;
    found.push(name);
    folder = path.join(folder, name);
  }
  return differs ? found.join('/') : undefined;
}

/**
 * Returns the one path of a folder that can be opened under several: through a symbolic link, or in another letter case. Windows that
 * open it under different ones share its records and its lock by this path. A folder that does not exist keeps its own.
 */
export function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return path.resolve(folder);
  }
}

/** Returns the real path of the nearest existing ancestor, plus the missing rest; undefined behind a link to nowhere. */
function realPathOf(disk: Disk, target: string): string | undefined {
  const missing: string[] = [];
  for (let at = path.resolve(target); ; at = path.dirname(at)) {
    try {
      const real = disk.calls.realPath(at);
      return missing.length === 0 ? real : path.join(real, ...missing);
    } catch (error) {
      if (codeOf(error) === 'ELOOP') return undefined;
      if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw error;
      // Something exists, but it resolves to nothing: a dangling link.
      if (disk.stat(at) !== undefined || path.dirname(at) === at) return undefined;
      missing.unshift(path.basename(at));
    }
  }
}

function contains(outer: string, inner: string): boolean {
  if (inner === outer) return true;
  const relative = path.relative(outer, inner);
  return relative === '' || (!path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..');
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return [];
    throw error;
  }
}
