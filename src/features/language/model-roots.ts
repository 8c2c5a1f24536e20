import { baseName, isInside, pathInside } from '#base/path.ts';
import { MODEL_FOLDERS } from '#model/project/model-folders.ts';

/** The locations of a window's models, as URIs without a trailing slash. */
export interface ModelRoots {
  readonly roots: readonly string[];
  /** The roots that are not linked. */
  readonly found: readonly string[];
  /** The roots that lie below their linked folder. */
  readonly nested: readonly string[];
}

/** A folder that is linked to a deployment. */
export interface LinkedModel {
  /** The linked folder. */
  readonly folder: string;
  /** Its model; the folder itself if the whole project is linked. */
  readonly model: string;
}

/** A model that a search found. */
export interface FoundModel {
  readonly model: string;
  /** The folder whose `cube.js` or `cube.py` configures it. */
  readonly project?: string | undefined;
}

/**
 * Returns the folders that each contain a model: linked ones, those that a search found, and `remote` ones. In a project that is
 * linked as a whole, only its model folder is a model: its other files (configuration, agents) are not. If it has none, those
 * of the projects in its subfolders are; without any, the linked folder is the model itself. `found` is `undefined` until the first search has ended; until then, projects that are
 * linked as a whole are left out. See docs/model-language.md#where-models-are.
 */
export function modelRoots(
  linked: readonly LinkedModel[],
  found: readonly FoundModel[] | undefined,
  remote: readonly string[] = [],
): ModelRoots {
  const own = linked.flatMap((each) =>
    each.folder === each.model ? modelsOfProject(each.folder, found) : [each.model],
  );
  const isApart = ({ model }: FoundModel): boolean =>
    own.every((root) => !isInside(model, root) && !isInside(root, model)) &&
    linked.every(({ folder, model: root }) => folder !== root || !own.includes(folder) || !isInside(model, folder));
  const others = (found ?? []).filter(isApart).map(({ model }) => model);
  const nested = own.filter((root) => linked.some(({ folder }) => root !== folder && isInside(root, folder)));
  return { roots: [...new Set([...own, ...others, ...remote])], found: others, nested };
}

function modelsOfProject(folder: string, found: readonly FoundModel[] | undefined): readonly string[] {
  if (!found) return [];
  const projects = found.filter(
    ({ model, project }) => isInside(model, folder) && (project !== undefined || isUsual(baseName(model))),
  );
  const own = projects.filter(({ model, project }) => project === folder || isUsual(pathInside(model, folder) ?? ''));
  const isModel = found.some(({ model }) => model === folder);
  const all = own.length > 0 || isModel ? own : projects;
  return all.length > 0 ? all.map(({ model }) => model) : [folder];
}

function isUsual(name: string): boolean {
  return MODEL_FOLDERS.some((each) => each === name);
}
