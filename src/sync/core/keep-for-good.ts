import { type FileProblem, type FileStore, UnkeptFiles } from './ports.ts';

/**
 * Flushes these paths to disk, so that they survive a power loss. Resolves to those for which that failed, which the
 * base must not advance to: a file that another program locks must not stop the others.
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
