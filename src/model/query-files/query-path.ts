/** Checks whether a path is a query file (docs/query-files.md). */
export function isQueryPath(path: string): boolean {
  return /\.query\.ya?ml$/.test(path);
}
