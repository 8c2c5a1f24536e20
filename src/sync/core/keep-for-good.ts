import { type FileProblem, type FileStore, UnkeptFiles } from './ports.ts';

/**
 * Makes these paths survive a power loss, as far as the disk does that now. Answers those that it does not keep yet, which
 * the base must not follow: one file that another program holds is not a reason to stop at the others.
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
