import { readModelPath } from '#features/platform/index.ts';
import { modelsOf, type ProjectListing, topNames, usualFolder } from './link-choices.ts';

/**
 * Resolves to what is known of the project on a branch with these files. `read` resolves to the text of one of them, or to `undefined`;
 * files are read only where their names do not say where the model is.
 */
export async function branchProject(
  paths: readonly string[],
  read: (path: string) => Promise<string | undefined>,
): Promise<ProjectListing> {
  const listed = new Set(paths);
  const textOf = async (path: string): Promise<string | undefined> => (listed.has(path) ? read(path) : undefined);
  const [names, named] = [topNames(paths), await namedFolder(textOf)];
  if (usualFolder({ names, named }) !== undefined) return { names, named };
  const { listedModels } = await import('#features/folders/listed-models.ts');
  return { names, models: modelsOf('', (await listedModels({ paths, read: textOf })).models) };
}

/**
 * Resolves to the model folder that a project's configuration names, if it can be linked; `read` resolves to the text of a file at
 * the top of the project, or to `undefined`.
 */
export async function namedFolder(read: (name: string) => Promise<string | undefined>): Promise<string | undefined> {
  const { PROJECT_FILES, projectFolders } = await import('#features/folders/listed-models.ts');
  const texts = new Map<string, string>();
  for (const name of PROJECT_FILES) {
    const text = await read(name);
    if (text !== undefined) texts.set(name, text);
  }
  for (const folder of projectFolders(texts)) {
    const path = readModelPath(folder);
    if (path.ok && path.value !== '') return path.value;
  }
  return undefined;
}
