import { MODEL_FOLDERS } from '../model-folders.ts';

/** The folder for queries about a model, beside it; nothing where the name of the model's folder does not show what is beside it. */
export function queryFolder(model: string): string | undefined {
  const at = model.lastIndexOf('/');
  const isUsual = MODEL_FOLDERS.some((name) => name === model.slice(at + 1));
  return at > 0 && isUsual ? `${model.slice(0, at)}/queries` : undefined;
}

/** Where a query file in a model's folder belongs, under a name that no other file has; `undefined` where that is not known. */
export function movedQuery(path: string, model: string, isTaken: (path: string) => boolean): string | undefined {
  const folder = queryFolder(model);
  if (folder === undefined) return undefined;
  const name = path.slice(path.lastIndexOf('/') + 1);
  for (let at = 1; ; at += 1) {
    const moved = `${folder}/${at === 1 ? name : name.replace(/\.query\.ya?ml$/, `-${at}$&`)}`;
    if (!isTaken(moved)) return moved;
  }
}
