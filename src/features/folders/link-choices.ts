import { baseName, dirName, isInside, pathInside } from '#base/path.ts';
import { readModelPath } from '#features/platform/index.ts';
import { MODEL_FOLDERS } from '#model/project/model-folders.ts';
import type { ModelProject } from '#model/project/projects.ts';

/** A way to link or clone a project: its model alone, or the whole folder. */
export interface LinkChoice {
  /** The value for `modelbench.json`. */
  readonly modelPath: string;
  readonly label: string;
  /** The files that are then synced. */
  readonly description: string;
}

/** What is known of a project's folder or of a branch. */
export interface ProjectListing {
  /** The files and folders at its top. */
  readonly names: readonly string[];
  /** The model folder that its configuration names, if any. */
  readonly named?: string | undefined;
  /** The folders of the models that were found in it, relative to it; needed only if no usual folder is there. */
  readonly models?: readonly string[];
}

/** Names at the top of a project's folder that belong to the project but not to its model. */
const CONFIGURATION = ['cube.py', 'cube.js', 'agents'];

/**
 * Returns the ways to link a project: each of its models alone, or the whole folder where configuration or agents lie beside the
 * model or the model has no usual place. The likeliest choice is first; there is always one. See
 * docs/model-language.md#where-models-are.
 */
export function linkChoices(project: ProjectListing): readonly [LinkChoice, ...LinkChoice[]] {
  const [first, ...others] = modelPaths(project);
  const model = modelOnly(first);
  const beside = CONFIGURATION.filter((name) => project.names.includes(name));
  const isUsual = others.length === 0 && usualFolder(project) !== undefined;
  const isEmpty = usualFolder(project) === undefined && (project.models ?? []).length === 0;
  if (beside.length === 0 && (isUsual || isEmpty)) return [model];
  const models = [first, ...others].map((path) => `${path}/`);
  const all = [...models, ...beside.map(shownName), 'and everything else'];
  const whole = { modelPath: '.', label: 'Whole Project', description: all.join(', ') };
  return first === '' ? [{ ...whole, description: 'everything' }] : [model, ...others.map(modelOnly), whole];
}

function modelOnly(modelPath: string): LinkChoice {
  return { modelPath, label: 'Data Model Only', description: `${modelPath}/` };
}

function shownName(name: string): string {
  return name === 'agents' ? 'agents/' : name;
}

/** Returns the folders that can be linked as the model; empty for the project's own folder. */
function modelPaths(project: ProjectListing): readonly [string, ...string[]] {
  const usual = usualFolder(project);
  if (usual !== undefined) return [usual];
  // The path of a model can have characters that a link cannot name.
  const [first, ...others] = (project.models ?? []).filter((path) => readModelPath(path).ok);
  return first === undefined ? ['model'] : [first, ...others];
}

/** Returns the model folder that a configuration names, or else the one with a usual name; `undefined` if there is none. */
export function usualFolder({ names, named }: Pick<ProjectListing, 'names' | 'named'>): string | undefined {
  return named ?? MODEL_FOLDERS.find((name) => names.includes(name));
}

/** Returns the names at the top of a listing of paths. */
export function topNames(paths: Iterable<string>): readonly string[] {
  return [...new Set([...paths].map((path) => path.split('/')[0] ?? ''))];
}

/**
 * Returns the folders where a link can belong, for a folder that is open and has no usual model folder: those of the projects below it,
 * each with the configuration of a model or a folder `model` or `schema`, and last the folder itself, which is empty.
 */
export function projectFolders(models: readonly ModelProject[]): readonly string[] {
  const folders = models.map(({ model, configuration }) => {
    if (configuration !== undefined) return dirName(configuration);
    return MODEL_FOLDERS.some((name) => name === baseName(model)) ? dirName(model) : '';
  });
  return [...[...new Set(folders)].filter((folder) => folder !== '').sort(), ''];
}

/** Returns the model folders in a project, relative to it. */
export function modelsOf(project: string, models: readonly ModelProject[]): readonly string[] {
  return models.filter(({ model }) => isInside(model, project)).map(({ model }) => pathInside(model, project) ?? model);
}
