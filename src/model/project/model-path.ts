import { isQueryPath } from '#model/query-files/query-path.ts';

/** The language in which a model file is written. */
export type FileLanguage = 'yaml' | 'script';

/** Returns the language of a file by the end of its name; templates are read as YAML. */
export function languageOf(path: string): FileLanguage {
  return path.endsWith('.js') ? 'script' : 'yaml';
}

/** Checks whether a path can be a model file: YAML, Jinja or JavaScript, except query files. */
export function isModelPath(path: string): boolean {
  return /\.(?:ya?ml|jinja|js)$/.test(path) && !isQueryPath(path);
}
