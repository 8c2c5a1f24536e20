import type { Problem, Related } from './codes.ts';
import { importedFile, type ImportableFiles } from './imported.ts';

/** Returns the code elsewhere that a problem names, also in the files that a script imports. */
export function relatedOf({ related = [], imported = [] }: Problem, model: ImportableFiles): readonly Related[] {
  const used = imported.flatMap(({ path, start, end }): Related[] => {
    const chunk = importedFile(path, model)?.chunks[0]?.chunk;
    return chunk ? [{ chunk, start, end, message: 'The code that is used here.' }] : [];
  });
  return [...related, ...used];
}
