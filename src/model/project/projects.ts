import { dirName, isInside, joinPath } from '#base/path.ts';
import { configuredProjects } from './configuration/configured-projects.ts';
import { hasUnknown, UNKNOWN } from './configuration/evaluate.ts';
import { isConfiguration, isProjectFile } from './configuration/project-file.ts';
import { isModelPath } from './model-path.ts';
import { looksLikeModel } from './looks-like-model.ts';
import { isIgnoredFolder, MODEL_FOLDERS } from './model-folders.ts';

/** A data model that was found, whether or not it is linked. Paths are relative to the listed folder. */
export interface ModelProject {
  /** Folder of the model: one namespace. Empty for the listed folder itself. */
  readonly model: string;
  /** The file that configures it: a `cube.js` or `cube.py`, or else a `.env` or compose file. */
  readonly configuration?: string | undefined;
}

/** Reads a file; resolves to `undefined` if it cannot be read. */
export type ReadText = (path: string) => Promise<string | undefined>;

/** Maximum depth of folders that are searched. */
const DEEPEST = 8;
/** Folders in which the cubes and the views of one model usually are. */
const SECTIONS = new Set(['cubes', 'views']);
/** Number of files of one folder that are read at once. */
const READ_AT_ONCE = 16;

/**
 * Finds the data models in a listing, wherever they are: the folders that configurations name or have beside them, folders called
 * `model` or `schema`, and any folder with a subfolder `cubes` or files `*.cube.yml`. A folder counts once one of its files looks
 * like a model, however many others it has; a configuration is read as text and never run. `paths` are relative, with `/`. Once
 * `isOver` says that the time is over, no further file is read. See docs/model-language.md#where-models-are.
 */
export async function modelProjects(
  paths: readonly string[],
  read: ReadText,
  isOver: () => boolean = () => false,
): Promise<readonly ModelProject[]> {
  const listed = paths.filter(isSearched).sort();
  const found = new Map<string, string | undefined>();
  for (const { folders, configuration } of configuredProjects(await textsOf(listed, read))) {
    const named = folders.flatMap((folder) => existing(folder, listed));
    for (const model of named.length > 0 ? named : beside(configuration, listed))
      if (found.get(model) === undefined) found.set(model, configuration);
  }
  const isKnown = (path: string): boolean => [...found.keys()].some((model) => model !== '' && isInside(path, model));
  const files = listed.filter((path) => isModelPath(path) && !isProjectFile(path));
  for (const path of files) {
    const model = isKnown(path) ? undefined : likelyFolder(path);
    if (model !== undefined && !found.has(model)) found.set(model, undefined);
  }
  const models = [...found.keys()];
  const projects = await Promise.all(
    [...found].map(async ([model, configuration]) =>
      (await holdsModel(likelyFirst(filesOf(model, models, files)), read, isOver)) ? [{ model, configuration }] : [],
    ),
  );
  return projects.flat().sort((a, b) => (a.model < b.model ? -1 : 1));
}

/**
 * Resolves to the folders where the configurations of a listing say that a model can be, whatever these folders are called; the same
 * parameters as {@link modelProjects}. A folder may not exist.
 */
export async function namedFolders(paths: readonly string[], read: ReadText): Promise<readonly string[]> {
  const projects = configuredProjects(await textsOf(paths.filter(isSearched), read));
  return [...new Set(projects.flatMap(({ folders }) => folders.map(knownFolder)))];
}

/** The files at the top of a project that say where its model is. */
export const PROJECT_FILES = ['cube.py', 'cube.js', '.env'] as const;

/**
 * Returns the folders that the files at the top of a project name, the likeliest first: no folder that only a running program knows,
 * or that is outside of the project. `texts` holds those of {@link PROJECT_FILES} that are there.
 */
export function projectFolders(texts: ReadonlyMap<string, string>): readonly string[] {
  return configuredProjects(texts)
    .flatMap(({ folders }) => folders)
    .filter((folder) => !hasUnknown(folder));
}

/** Whether a program computes the model of a project for each tenant, so that it has several. */
export function hasTenants(texts: ReadonlyMap<string, string>): boolean {
  return configuredProjects(texts).some(({ folders }) => folders.some(hasUnknown));
}

async function textsOf(paths: readonly string[], read: ReadText): Promise<ReadonlyMap<string, string>> {
  const files = paths.filter(isProjectFile);
  return new Map(await Promise.all(files.map(async (path) => [path, (await read(path)) ?? ''] as const)));
}

function isSearched(path: string): boolean {
  const folders = path.split('/').slice(0, -1);
  return folders.length <= DEEPEST && !folders.some(isIgnoredFolder);
}

/** Returns the model folder beside a configuration: at the usual place, with any file in it. */
function beside(configuration: string, listed: readonly string[]): readonly string[] {
  if (!isConfiguration(configuration)) return [];
  const usual = MODEL_FOLDERS.map((name) => joinPath(dirName(configuration), name));
  return usual.filter((model) => listed.some((file) => file !== model && isInside(file, model))).slice(0, 1);
}

/** Returns the folders that a name can mean: as it is written, or in another case where the disk does not tell them apart. */
function existing(folder: string, listed: readonly string[]): readonly string[] {
  if (!hasUnknown(folder) && listed.some((path) => path !== folder && isInside(path, folder))) return [folder];
  const pattern = folder.split(UNKNOWN).map(escaped).join('([^/]+)');
  const named = new RegExp(`^(${pattern})/`, 'i');
  const found = new Map<string, readonly string[]>();
  for (const path of listed) {
    const [, whole, ...computed] = named.exec(path) ?? [];
    if (whole !== undefined) found.set(whole, computed);
  }
  // These hold what belongs to one model, not the models of tenants.
  const areSections = [...found.values()].some((computed) => computed.some((name) => SECTIONS.has(name)));
  return areSections ? [] : [...found.keys()];
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** Returns the innermost folder of a name that is known without running anything. */
function knownFolder(folder: string): string {
  const [known = ''] = folder.split(UNKNOWN);
  return hasUnknown(folder) ? dirName(known) : folder;
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

/** Returns the files of a model's folder, without those of other models in it. */
function filesOf(model: string, models: readonly string[], files: readonly string[]): readonly string[] {
  const inner = models.filter((other) => other !== model && isInside(other, model));
  return files.filter((path) => isInside(path, model) && !inner.some((other) => isInside(path, other)));
}

/** Sorts the files that are likely models first, so that the others are hardly ever read: scripts are often something else. */
function likelyFirst(files: readonly string[]): readonly string[] {
  const rank = (path: string): number => {
    const isNamed = /(?:^|\/)(?:cubes|views)\/|\.cube\.\w+$/.test(path);
    return (isNamed ? 0 : 2) + (path.endsWith('.js') ? 1 : 0);
  };
  return files
    .map((path) => ({ path, rank: rank(path) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ path }) => path);
}

/** Checks whether one of the files looks like a model. */
async function holdsModel(files: readonly string[], read: ReadText, isOver: () => boolean): Promise<boolean> {
  for (let at = 0; at < files.length && !isOver(); at += READ_AT_ONCE) {
    const texts = files
      .slice(at, at + READ_AT_ONCE)
      .map(async (path) => looksLikeModel(path, (await read(path)) ?? ''));
    if ((await Promise.all(texts)).includes(true)) return true;
  }
  return false;
}
