/**
 * Paths inside the core: `/`-relative to the linked folder, without a leading slash, NFC is the caller's business.
 * The platform writes them with or without a leading slash; both are the same path.
 */
export function normalizePath(path: string): string {
  return path.replace(/^\/+/, '').replaceAll(/\/{2,}/g, '/');
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folder that holds the path; empty for a top-level one. */
export function dirName(path: string): string {
  const at = path.lastIndexOf('/');
  return at === -1 ? '' : path.slice(0, at);
}

/** The parts as one normal path; empty ones are left out. */
export function joinPath(...parts: readonly string[]): string {
  return normalizePath(parts.filter((part) => part !== '').join('/'));
}

/** Whether `path` is `folder` itself or lies inside it; an empty folder holds everything. */
export function isInside(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}
