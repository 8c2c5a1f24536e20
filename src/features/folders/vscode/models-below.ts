import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { systemClock } from '#base/clock.ts';
import { decodedText } from '#base/decoded-text.ts';
import { isInside, pathInside } from '#base/path.ts';
import { listedFiles, type ListedModels, type listedModels } from '#features/folders/listed-models.ts';
import { UNREAD_FOLDERS } from '#model/project/model-folders.ts';

/** The most files that a search lists for each of its globs. */
export const MOST_FILES = 10_000;
/** How long a search may read files, in milliseconds. Only a disk that is very slow needs as long. */
const READING_MS = 20_000;
/** The files of a model in a folder that a configuration names. */
const MODEL_FILES = '**/*.{yml,yaml,jinja,js}';
/** A glob of the folders that no search enters. */
export const SKIPPED = `**/{${UNREAD_FOLDERS.join(',')}}/**`;

/**
 * Resolves to the models below a folder, as `search` finds them; `paths` are its listed files, relative to it, which are searched for
 * by default.
 */
export async function modelsBelow(
  folder: vscode.Uri,
  search: typeof listedModels,
  paths?: readonly string[],
): Promise<ListedModels> {
  const find = async (pattern: string, below: vscode.Uri): Promise<readonly string[]> => {
    const uris = await vscode.workspace.findFiles(new vscode.RelativePattern(below, pattern), SKIPPED, MOST_FILES);
    return uris.map((uri) => pathInside(uri.path, folder.path) ?? '');
  };
  const all = paths ?? (await Promise.all(listedFiles.map((glob) => find(glob, folder)))).flat();
  const end = systemClock.now() + READING_MS;
  return search({
    isOver: () => systemClock.now() > end,
    paths: all,
    read: (path) => textAt(vscode.Uri.joinPath(folder, path)),
    list: async (path) =>
      (await find(MODEL_FILES, vscode.Uri.joinPath(folder, path))).filter((each) => isInside(each, path)),
  });
}

/** Resolves to the text of a file; `undefined` if there is none or it cannot be read. */
async function textAt(uri: vscode.Uri): Promise<string | undefined> {
  return Promise.resolve(vscode.workspace.fs.readFile(uri)).then(decodedText, () => undefined);
}
