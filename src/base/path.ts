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

/** Whether `path` is `folder` or lies inside it; an empty folder contains everything. */
export function isInside(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}
