import { baseName, dirName } from '#base/path.ts';
import { isProjectFile } from '#model/project/configuration/project-file.ts';
import { isUnreadFolder } from '#model/project/model-folders.ts';
import { type ModelProject, modelProjects, namedFolders, type ReadText } from '#model/project/projects.ts';
import { compileIgnore } from '#sync/core/selection/ignore.ts';

export { PROJECT_FILES, projectFolders } from '#model/project/projects.ts';

/** The result of a search in a folder. */
export interface FolderListing {
  /** Relative paths with `/`: files that can be models or configure them, and `.gitignore` files. */
  readonly paths: readonly string[];
  /** Reads one of them; resolves to `undefined` if it cannot be read. */
  readonly read: ReadText;
  /** Lists the files in a folder that can be models; by default none besides those in `paths`. */
  readonly list?: (folder: string) => Promise<readonly string[]>;
  /** Whether the time for the search is over. */
  readonly isOver?: () => boolean;
}

/** The result of a search. */
export interface ListedModels {
  readonly models: readonly ModelProject[];
  /** The folders that a configuration names; one of them may be empty yet. */
  readonly named: readonly string[];
}

/** Resolves to the models in a folder, without those that Git ignores. */
export async function listedModels({
  paths: first,
  read: readAgain,
  list = () => Promise.resolve([]),
  isOver,
}: FolderListing): Promise<ListedModels> {
  const read = once(readAgain);
  const named = await namedFolders(first, read);
  const paths = [...new Set([...first, ...(await Promise.all(named.map(list))).flat()])];
  const rules = compileIgnore([]);
  for (const path of paths.filter((each) => baseName(each) === '.gitignore'))
    rules.add({ folder: dirName(path), name: '.gitignore', text: (await read(path)) ?? '' });
  const models = await modelProjects(
    // Git usually ignores the file with the variables, which the engine reads all the same.
    paths.filter((path) => baseName(path) === '.env' || !rules.ignores(path, false)),
    read,
    isOver,
  );
  return { models, named };
}

/** Returns a function that reads each configuration once; other files are read once anyway. */
function once(read: ReadText): ReadText {
  const texts = new Map<string, Promise<string | undefined>>();
  return async (path) => {
    if (!isProjectFile(path)) return read(path);
    const text = texts.get(path) ?? read(path);
    texts.set(path, text);
    return text;
  };
}

/**
 * Globs of the files that a search for models lists: few enough that a repository of any size is searched quickly. The manifest's
 * `workspaceContains` events use the same paths.
 */
export const listedFiles = [
  '**/{cube.js,cube.py,.gitignore,.env}',
  '**/{compose,docker-compose}*.{yml,yaml}',
  '**/{model,schema,cubes}/**/*.{yml,yaml,jinja}',
  '**/{model,schema,cubes}/**/*.js',
  '**/*.cube.{yml,yaml,js}',
] as const;

/** Whether a search would list a file with this path. */
export function isListed(path: string): boolean {
  if (path.split('/').slice(1, -1).some(isUnreadFolder)) return false;
  if (isProjectFile(path) || baseName(path) === '.gitignore') return true;
  return /(?:\/(?:model|schema|cubes)\/.*\.(?:ya?ml|jinja|js)|\.cube\.(?:ya?ml|js))$/.test(path);
}
