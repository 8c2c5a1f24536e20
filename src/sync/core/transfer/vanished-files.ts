import type { RemoteListing } from '#sync/core/ports.ts';
import type { Effect } from './effects.ts';

/**
 * Returns the files of an earlier list that a later one lacks, although none of these effects deletes or renames them: someone
 * else deleted them since, or one of the two lists is wrong. Where the end of an upload deletes what its manifest lacks, they would
 * be deleted with it.
 */
export function vanishedFiles(
  earlier: RemoteListing,
  later: RemoteListing,
  effects: readonly Effect[],
): readonly string[] {
  const touched = new Set(effects.flatMap(({ facets }) => facets.map(({ path }) => path)));
  const isThere = (path: string): boolean => later.files.has(path) || later.others.has(path) || touched.has(path);
  return [...earlier.files.keys(), ...earlier.others.keys()].filter((path) => !isThere(path));
}
