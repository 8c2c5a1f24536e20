import { existsSync, watch } from 'node:fs';
import { join, relative, resolve, sep, isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { leavesFolder } from '#base/path.ts';
import { isFolder } from './folder-link.ts';
import { modelRootOf } from './model-folder.ts';

/** A folder to work on, and the one that paths are relative to. */
export interface RootedFolder {
  readonly folder: string;
  readonly from: string;
}

/**
 * Returns the folder that a client's roots mean: the first root in which `wanted`, a relative path, is a project with a model; else
 * `start` if that is one; else the first root in which it is a folder. Roots that are not folders of this machine do not count.
 */
export function folderInRoots(roots: readonly string[], wanted: string, start: RootedFolder): RootedFolder {
  const rooted = roots.flatMap((uri) => {
    const from = pathOf(uri);
    return from === undefined || !isInRoot(wanted) ? [] : [{ from, folder: resolve(from, wanted) }];
  });
  return (
    [...rooted, start].find(({ folder }) => isProject(folder)) ?? rooted.find(({ folder }) => isFolder(folder)) ?? start
  );
}

/** Calls back when something below the model of a project changes, until the returned function is called. */
export function watchModel(folder: string): (onChange: () => void) => () => void {
  return (onChange) => {
    try {
      const { root, isMixed } = modelRootOf(folder);
      // A folder that is not known to be a model can be any, with any number of files.
      if (isMixed) return () => undefined;
      const watcher = watch(root, { recursive: true, persistent: false }, onChange);
      // The folder is gone, or the system watches no more: the next call of a tool shows what changed.
      watcher.on('error', () => watcher.close());
      return () => watcher.close();
    } catch {
      return () => undefined;
    }
  };
}

function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/** Whether a path leads to no folder outside of the one that it is relative to. */
function isInRoot(path: string): boolean {
  return !isAbsolute(path) && !leavesFolder(relative(resolve('/base'), resolve('/base', path)), sep);
}

/** Whether a folder is linked or has a folder for its model. */
function isProject(folder: string): boolean {
  try {
    return !modelRootOf(folder).isMixed;
  } catch {
    // What is wrong with its link is reported by the tools.
    return existsSync(join(folder, 'modelbench.json'));
  }
}
