/** A path of a data-model file that cannot be used, with the reason in plain English. */
export class PathError extends Error {
  override readonly name = 'PathError';
}

/**
 * A path as the repository knows it: `/`-relative, without a leading slash.
 * @throws PathError when it is absolute in disguise, leaves the folder or names what Git keeps for itself
 */
export function repositoryPath(path: string): string {
  const relative = path.startsWith('/') ? path.slice(1) : path;
  const segments = relative.split('/');
  if (relative === '' || /[^ -\u{10FFFF}]|\\/u.test(relative) || relative.length > 1024) {
    throw new PathError(`"${path}" is not a file path: use a path like model/cubes/orders.yml.`);
  }
  for (const segment of segments) {
    if (segment === '' || segment === '.' || segment === '..') {
      throw new PathError(`"${path}" must not contain empty, "." or ".." parts.`);
    }
    if (/^\.git\.?$/i.test(segment.trim()) || /^git~1$/i.test(segment) || Buffer.byteLength(segment) > 255) {
      throw new PathError(`"${path}" contains a name that cannot be used: "${segment.slice(0, 40)}".`);
    }
  }
  return relative;
}
