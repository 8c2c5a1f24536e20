import { mapLimited } from '#base/async.ts';
import { type FileProblem, UnkeptFiles } from '#sync/core/ports.ts';
import { codeOf } from '#base/system-error.ts';
import { type Disk, fileProblem } from './disk.ts';

/** Makes the bytes of files durable, several at a time, and returns the files that could not be flushed. */
export async function syncFiles(
  disk: Disk,
  files: readonly string[],
  at: { readonly resolve: (file: string) => string; readonly limit: number },
): Promise<ReadonlyMap<string, FileProblem>> {
  const unkept = new Map<string, FileProblem>();
  await mapLimited(files, at.limit, async (file) => {
    await disk.syncFile(at.resolve(file)).catch((error: unknown) => {
      // Deleted since, or its folder became a file: there is nothing to flush.
      if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error))) unkept.set(file, fileProblem(file, error));
    });
  });
  return unkept;
}

/** Throws the first problem, which carries all of them, if there is one. */
export function requireKept(unkept: ReadonlyMap<string, FileProblem>): void {
  const [first] = unkept.values();
  if (first) throw new UnkeptFiles(first, unkept);
}
