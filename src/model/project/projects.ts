import { baseName, dirName, isInside, joinPath } from '#base/path.ts';
import { isModelPath } from './model-path.ts';
import { looksLikeModel } from './looks-like-model.ts';
import { isIgnoredFolder, MODEL_FOLDERS } from './model-folders.ts';
import { namedModelFolder } from './named-model-folder.ts';

/** A data model that was found, whether or not it is linked. Paths are relative to the listed folder. */
export interface ModelProject {
  /** Folder of the model: one namespace. Empty for the listed folder itself. */
  readonly model: string;
  /** The `cube.js` or `cube.py` that configures it. */
  readonly configuration?: string | undefined;
}

/** Maximum depth of folders that are searched. */
const DEEPEST = 8;
/** Maximum number of files to read in one folder until one of them is a model. */
const MOST_READ = 30;
const CONFIGURATION = new Set(['cube.js', 'cube.py']);

/**
 * Finds the data models in a listing, wherever they are: the folder that a `cube.js` or `cube.py` names or has beside it, folders
 * called `model` or `schema`, and any folder with a subfolder `cubes` or files `*.cube.yml`. A folder counts once one of its
 * files looks like a model; a configuration is read as text and never run. `paths` are relative, with `/`; `read` returns a
 * file's text, or undefined if it cannot be read. See docs/model-language.md#where-models-are.
 */
export async function modelProjects(
  paths: readonly string[],
  read: (path: string) => Promise<string | undefined>,
): Promise<readonly ModelProject[]> {
  const listed = paths.filter(isSearched).sort();
  const configured = await Promise.all(
    listed
      .filter((path) => CONFIGURATION.has(baseName(path)))
      .map(async (path) => configuredFolder(path, (await read(path)) ?? '', listed)),
  );
  const found = new Map<string, string | undefined>();
  for (const { model, configuration } of configured.flat()) found.set(model, configuration);
  const isKnown = (path: string): boolean => [...found.keys()].some((model) => model !== '' && isInside(path, model));
  const files = listed.filter((path) => isModelPath(path) && !CONFIGURATION.has(baseName(path)));
  for (const path of files) {
    const model = isKnown(path) ? undefined : likelyFolder(path);
    if (model !== undefined && !found.has(model)) found.set(model, undefined);
  }
  const projects: ModelProject[] = [];
  for (const [model, configuration] of found) {
    if (await holdsModel(files, model, [...found.keys()], read)) projects.push({ model, configuration });
  }
  return projects.sort((a, b) => (a.model < b.model ? -1 : 1));
}

/**
 * Resolves to the folders that the `cube.js` and `cube.py` files of a listing name, whatever these folders are called; the same
 * parameters as {@link modelProjects}. A folder may not exist.
 */
export async function namedFolders(
  paths: readonly string[],
  read: (path: string) => Promise<string | undefined>,
): Promise<readonly string[]> {
  const files = paths.filter((path) => isSearched(path) && CONFIGURATION.has(baseName(path)));
  const named = await Promise.all(files.map(async (path) => namedFolder(path, (await read(path)) ?? '')));
  return [...new Set(named.flatMap((folder) => (folder === undefined || folder === '' ? [] : [folder])))];
}

/** Returns the folder that a `cube.js` or `cube.py` with this path and text names; undefined for none, or one outside of its own. */
export function namedFolder(path: string, text: string): string | undefined {
  const name = namedModelFolder(text);
  return name === undefined ? undefined : inFolder(dirName(path), name);
}

function isSearched(path: string): boolean {
  const folders = path.split('/').slice(0, -1);
  return folders.length <= DEEPEST && !folders.some(isIgnoredFolder);
}

/** Returns the folder that a configuration names, or else the one beside it. */
function configuredFolder(path: string, text: string, listed: readonly string[]): readonly ModelProject[] {
  const folder = dirName(path);
  const named = namedModelFolder(text);
  const inside = named === undefined ? undefined : inFolder(folder, named);
  const beside = MODEL_FOLDERS.map((name) => joinPath(folder, name)).find((model) =>
    listed.some((file) => file !== model && isInside(file, model)),
  );
  const model = inside ?? (named === undefined ? beside : undefined);
  return model === undefined ? [] : [{ model, configuration: path }];
}

/** Resolves a relative path below a folder; returns undefined if it leads out of it. */
function inFolder(folder: string, path: string): string | undefined {
  const steps = path.split('/').filter((step) => step !== '' && step !== '.');
  return path.startsWith('/') || steps.includes('..') ? undefined : joinPath(folder, ...steps);
}

/** Returns the folder of the model that a file would belong to, by the names of the folders above it. */
function likelyFolder(path: string): string | undefined {
  const folders = path.split('/').slice(0, -1);
  const named = folders.findIndex((name) => MODEL_FOLDERS.some((each) => each === name));
  if (named !== -1) return folders.slice(0, named + 1).join('/');
  const cubes = folders.indexOf('cubes');
  if (cubes !== -1) return folders.slice(0, cubes).join('/');
  return /\.cube\.(?:ya?ml|js)$/.test(path) ? folders.join('/') : undefined;
}

/** Checks whether a file of the folder, outside the other models in it, looks like a model. */
async function holdsModel(
  files: readonly string[],
  model: string,
  models: readonly string[],
  read: (path: string) => Promise<string | undefined>,
): Promise<boolean> {
  const inner = models.filter((other) => other !== model && isInside(other, model));
  const own = files.filter((path) => isInside(path, model) && !inner.some((other) => isInside(path, other)));
  // Read the likely ones first.
  const likely = own.filter((path) => likelyFolder(path) !== undefined);
  for (const path of [...new Set([...likely, ...own])].slice(0, MOST_READ)) {
    if (looksLikeModel(path, (await read(path)) ?? '')) return true;
  }
  return false;
}
