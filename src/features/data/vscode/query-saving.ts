import { posix } from 'node:path';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { baseName } from '#base/path.ts';
import type { DataQuery } from '#api/data/data.ts';
import { MODEL_FOLDERS } from '#model/project/model-folders.ts';
import { PROJECT_FILES, projectFolders } from '#model/project/projects.ts';
import { queryFileName } from '#model/query-files/query-file-name.ts';
import { numberedQuery, queryFolder } from '#model/query-files/query-folder.ts';
import { queryFileText } from '#model/query-files/write-query.ts';
import { writeInFolder } from '#features/platform/vscode/index.ts';
import type { WindowTrust } from '#shell/trust.ts';
import { Hint } from '#shell/user-error.ts';
import { exists, textIfThere } from '#shell/vscode/files-on-disk.ts';

/** A folder of this window with a model. */
export interface FolderWithModel {
  readonly uri: vscode.Uri;
  /** The path of the model in it; empty if the whole folder is linked. */
  readonly modelPath: string;
}

/** The folder in which the query files of a project are saved (docs/query-files.md#where-they-are). */
export interface QuerySaving {
  /** Writes a new query file under this name, or under a free one like it, and opens it. */
  saveFile(name: string, content: string): Promise<void>;
  /** As {@link saveFile}, for a query; its title names the file. */
  saveQuery(title: string, query: DataQuery): Promise<void>;
}

/**
 * Opens the folder for query files beside the model of a linked folder; without one, of the folder of the window with this URI,
 * or else the first. Throws `Hint` in Restricted Mode and if no folder is open.
 */
export async function openQuerySaving(
  { isTrusted }: WindowTrust,
  linked: FolderWithModel | undefined,
  folder?: string,
): Promise<QuerySaving> {
  if (!isTrusted.value) {
    throw new Hint('This window is in Restricted Mode: no query files are written. Trust the workspace first.', {
      title: 'Manage Workspace Trust',
      command: 'modelbench.manageTrust',
    });
  }
  const beside = await folderBeside(modelFolderOf(linked, folder));
  const saveFile = async (name: string, content: string): Promise<void> =>
    writeAndShow(beside.root, `${beside.path}/${await unusedName(beside, name)}`, content);
  return {
    saveFile,
    saveQuery: async (title, query) => saveFile(queryFileName(title, 'query'), queryFileText(title, query)),
  };
}

/**
 * Returns the linked folder; without one, the folder of the window with a URI, or else the first. Throws `Hint` if none is open.
 */
export function modelFolderOf(linked: FolderWithModel | undefined, wanted?: string): FolderWithModel {
  if (linked) return linked;
  const all = vscode.workspace.workspaceFolders ?? [];
  const folder = all.find(({ uri }) => uri.toString() === wanted) ?? all[0];
  if (!folder) throw new Hint('Open the folder of the model first: queries are saved as files of the project.');
  return { uri: folder.uri, modelPath: modelPathIn(folder.uri) };
}

/** Writes a file of a folder and opens it. */
export async function writeAndShow(folder: vscode.Uri, path: string, content: string): Promise<void> {
  await vscode.window.showTextDocument(await writeInFolder(folder, path, content), { preview: false });
}

/** The folder for query files, which must not lead out of `root`: the folder of the project. */
interface FolderInRoot {
  readonly root: vscode.Uri;
  /** Relative to `root`. */
  readonly path: string;
}

/** Resolves to the folder for query files. It is never in the model, where the platform would read them as model files. */
async function folderBeside({ uri, modelPath }: FolderWithModel): Promise<FolderInRoot> {
  const inFolder = modelPath === '' ? await modelFolderIn(uri) : modelPath;
  const path =
    inFolder === undefined
      ? queryFolder(uri.path, 'whole')
      : queryFolder(vscode.Uri.joinPath(uri, inFolder).path, 'inside');
  if (path === undefined)
    throw new Hint('Open the folder of the model first: queries are saved as files of the project.');
  // Where the opened folder is the model, its project is around it.
  const root = inFolder === undefined ? uri.with({ path: posix.dirname(uri.path) }) : uri;
  return { root, path: posix.relative(root.path, path) };
}

/** Guesses the model path in a folder that is not linked: the folder may be the model itself. */
function modelPathIn({ path }: vscode.Uri): string {
  return MODEL_FOLDERS.some((name) => name === baseName(path)) ? '' : 'model';
}

/**
 * Resolves to the path of the model in a project that is linked as a whole: the one that its configuration names, or one with a
 * usual name; to `undefined` if it has none, because then the folder itself is the model.
 */
async function modelFolderIn(folder: vscode.Uri): Promise<string | undefined> {
  const texts = await Promise.all(
    PROJECT_FILES.map(async (name) => [name, (await textIfThere(vscode.Uri.joinPath(folder, name))) ?? ''] as const),
  );
  const candidates = [...projectFolders(new Map(texts)).filter((path) => path !== ''), ...MODEL_FOLDERS];
  const found = await Promise.all(candidates.map(async (name) => exists(vscode.Uri.joinPath(folder, name))));
  return candidates[found.indexOf(true)];
}

/** Resolves to an unused file name, so that each of several queries with one title gets its own file. */
async function unusedName({ root, path }: FolderInRoot, name: string): Promise<string> {
  for (let at = 1; ; at += 1) {
    const numbered = numberedQuery(name, at);
    if (!(await exists(vscode.Uri.joinPath(root, path, numbered)))) return numbered;
  }
}
