import { type FileProblem, type FileStore, UnkeptFiles } from '#sync/core/ports.ts';

/**
 * Flushes these paths to disk, so that they survive a power loss. Resolves to the problems of those that failed, for
 * which the base must not advance: a file that another program locks must not stop the others.
 */
export async function keepForGood(
  files: Pick<FileStore, 'sync'>,
  paths: readonly string[],
  only?: 'names',
): Promise<ReadonlyMap<string, FileProblem>> {
  if (paths.length === 0) return new Map();
  try {
    await files.sync(paths, only);
    return new Map();
  } catch (error) {
    if (error instanceof UnkeptFiles) return error.problems;
    throw error;
  }
}
