import type { ModelFile } from './file.ts';
import type { ModelIndex } from './index.ts';

/** Returns the file that a script imports by a path relative to the model's folder, whichever folder the script is in. */
export function importedFile(path: string, index: ModelIndex): ModelFile | undefined {
  if (index.root !== undefined)
    return index.file(index.root + path) ?? index.file(index.root + path.split('/').map(encodeURIComponent).join('/'));
  return [...index.files()].find((file) => `/${file.path}`.endsWith(`/${path}`));
}
