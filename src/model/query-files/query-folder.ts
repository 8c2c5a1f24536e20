import { MODEL_FOLDERS } from '#model/project/model-folders.ts';

/**
 * What is known of a model's folder, whatever its name: it lies `inside` the folder of its project, or is the `whole` folder that
 * is linked or opened.
 */
export type ModelPlace = 'inside' | 'whole';

/**
 * Returns the folder for queries about a model, beside it (docs/query-files.md#where-they-are). `model` is an absolute path or a
 * URI, separated by `/`. A whole folder with a name of its own has a folder of that name in `queries`, because other folders beside
 * it need not belong to its project. Returns `undefined` if the name of the model's folder does not show what is beside it.
 */
export function queryFolder(model: string, place?: ModelPlace): string | undefined {
  const at = model.lastIndexOf('/');
  const name = model.slice(at + 1);
  const beside = `${model.slice(0, at)}/queries`;
  const isUsual = at > 0 && MODEL_FOLDERS.some((usual) => usual === name);
  if (isUsual || place === 'inside') return beside;
  return place === 'whole' && name !== '' ? `${beside}/${name}` : undefined;
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
