/**
 * Normalizes a path to the form used inside the core: relative to the linked folder, separated by `/`, without a leading slash.
 * The platform writes paths with or without one. The caller is responsible for NFC.
 */
export function normalizePath(path: string): string {
  return path.replace(/^\/+/, '').replaceAll(/\/{2,}/g, '/');
}

/** Returns the last segment of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns the folder that contains the path; an empty string for a top-level path. */
export function dirName(path: string): string {
  const at = path.lastIndexOf('/');
  return at === -1 ? '' : path.slice(0, at);
}

/** Joins segments to a normalized path; skips empty ones. */
export function joinPath(...parts: readonly string[]): string {
  return normalizePath(parts.filter((part) => part !== '').join('/'));
}

/**
 * Whether `path` is `folder` or lies inside it. Both are compared as they are written: case counts, and neither `..` nor links are
 * resolved. `folder` may end with the separator. An empty folder contains everything; {@link leavesFolder} says what it does not.
 */
export function isInside(path: string, folder: string, separator = '/'): boolean {
  return folder === '' || path === folder || path.startsWith(folder.endsWith(separator) ? folder : folder + separator);
}

/** Whether a path relative to a folder, with `..` at most at its start, leads out of the folder: up, or to a root (`/`, `C:`). */
export function leavesFolder(path: string, separator = '/'): boolean {
  return path === '..' || path.startsWith(`..${separator}`) || /^(?:[/\\]|[A-Za-z]:)/.test(path);
}

/** Returns a path relative to a folder as `isInside` compares them: empty for the folder itself, `undefined` outside of it. */
export function pathInside(path: string, folder: string): string | undefined {
  if (!isInside(path, folder)) return undefined;
  return folder === '' ? path : path.slice(folder.endsWith('/') ? folder.length : folder.length + 1);
}
