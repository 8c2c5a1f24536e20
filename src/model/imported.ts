import type { ModelFile } from './file.ts';

/** The files of a model. */
export interface ImportableFiles {
  /** The common prefix of their paths, if known. */
  readonly root: string | undefined;
  file(path: string): ModelFile | undefined;
  files(): Iterable<ModelFile>;
}

/** Returns the file that a script imports by a path relative to the model's folder, whichever folder the script is in. */
export function importedFile(path: string, model: ImportableFiles): ModelFile | undefined {
  if (model.root !== undefined)
    return model.file(model.root + path) ?? model.file(model.root + path.split('/').map(encodeURIComponent).join('/'));
  return [...model.files()].find((file) => `/${file.path}`.endsWith(`/${path}`));
}
