import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';

/** Returns the path of a program of this machine; `undefined` if there is none. */
export function programPath(name: string): string | undefined {
  return programIn(process.env['PATH'] ?? '', name, process.platform, isProgram);
}

/**
 * Searches the folders of a search path for a program. Only whole paths count: a relative one, and on Windows the current folder, which
 * the system itself would search first, is in the project that a command works on, and its files must not run.
 */
export function programIn(
  searched: string,
  name: string,
  platform: NodeJS.Platform,
  isThere: (file: string) => boolean,
): string | undefined {
  const isWindows = platform === 'win32';
  const paths = isWindows ? win32 : posix;
  const folders = searched
    .split(paths.delimiter)
    .map((folder) => (isWindows ? folder.replaceAll('"', '') : folder))
    .filter((folder) => (isWindows ? WHOLE_ON_WINDOWS.test(folder) : folder.startsWith('/')));
  const names = isWindows ? [`${name}.com`, `${name}.exe`] : [name];
  return folders.flatMap((folder) => names.map((each) => paths.join(folder, each))).find(isThere);
}

/** With a drive or a share: `\bin` and `C:bin` depend on the current folder. */
const WHOLE_ON_WINDOWS = /^(?:[a-z]:[\\/]|[\\/]{2})/i;

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
