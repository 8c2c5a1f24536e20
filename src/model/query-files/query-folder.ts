import { MODEL_FOLDERS } from '../model-folders.ts';

/**
 * Returns the folder for queries about a model, beside it (docs/query-files.md#where-they-are). `model` is an absolute path or a
 * URI, separated by `/`; `isInProject`: it is known to be inside a project, whatever its name. Returns `undefined` if the name of
 * the model's folder does not show what is beside it.
 */
export function queryFolder(model: string, isInProject = false): string | undefined {
  const at = model.lastIndexOf('/');
  const isUsual = at > 0 && MODEL_FOLDERS.some((name) => name === model.slice(at + 1));
  return isUsual || isInProject ? `${model.slice(0, at)}/queries` : undefined;
}

/** Returns the path that a query file should move to in a folder, under an unused name. */
export function movedQuery(path: string, folder: string, isTaken: (path: string) => boolean): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  for (let at = 1; ; at += 1) {
    const moved = `${folder}/${numberedQuery(name, at)}`;
    if (!isTaken(moved)) return moved;
  }
}

/** Returns a query file's numbered name to distinguish it from others: `orders.query.yml`, `orders-2.query.yml` and so on. */
export function numberedQuery(name: string, at: number): string {
  return at === 1 ? name : name.replace(/\.query\.ya?ml$/, `-${at}$&`);
}
