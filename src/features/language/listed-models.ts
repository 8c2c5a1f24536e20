import { baseName, dirName } from '#base/path.ts';
import { isUnreadFolder } from '#model/model-folders.ts';
import { type ModelProject, modelProjects } from '#model/projects.ts';
import { compileIgnore } from '#sync/core/ignore.ts';

/** What a search finds in a folder. */
export interface FolderListing {
  /** Relative paths with `/`: files that can be models or configure them, and `.gitignore` files. */
  readonly paths: readonly string[];
  /** The text of one of them; undefined where it cannot be read. */
  readonly read: (path: string) => Promise<string | undefined>;
}

/** The models in a folder, those left out that Git ignores. */
export async function listedModels({ paths, read }: FolderListing): Promise<readonly ModelProject[]> {
  const rules = compileIgnore([]);
  for (const path of paths.filter((each) => baseName(each) === '.gitignore'))
    rules.add({ folder: dirName(path), name: '.gitignore', text: (await read(path)) ?? '' });
  return modelProjects(
    paths.filter((path) => !rules.ignores(path, false)),
    read,
  );
}

/**
 * Globs of the files that a search for models lists: few enough that a repository of any size is searched at once. The
 * manifest's `workspaceContains` events name the same places.
 */
export const listedFiles = [
  '**/{cube.js,cube.py,.gitignore}',
  '**/{model,schema,cubes}/**/*.{yml,yaml,jinja,js}',
  '**/*.cube.{yml,yaml,js}',
] as const;

/** Whether a search would list a file, by its path. */
export function isListed(path: string): boolean {
  if (path.split('/').slice(1, -1).some(isUnreadFolder)) return false;
  if (/(?:^|\/)(?:cube\.js|cube\.py|\.gitignore)$/.test(path)) return true;
  return /(?:\/(?:model|schema|cubes)\/.*\.(?:ya?ml|jinja|js)|\.cube\.(?:ya?ml|js))$/.test(path);
}
