/**
 * Returns the paths in the linked folder that a path in a log may refer to, longest first: containers log paths of their own file
 * system.
 */
export function pathEndings(path: string): readonly string[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) return [];
  return parts.map((_, at) => parts.slice(at).join('/'));
}

/** Finds the file that a path in a log refers to: one of the path's endings, or else the only file whose path ends with it. */
export function fileNamed(files: readonly string[], path: string): string | undefined {
  const known = new Set(files);
  const found = pathEndings(path).find((ending) => known.has(ending));
  if (found !== undefined) return found;
  const [first, ...others] = files.filter((file) => file.endsWith(`/${path}`));
  return others.length === 0 ? first : undefined;
}
