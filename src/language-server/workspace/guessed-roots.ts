import type { WorkspaceFoldersChangeEvent } from 'vscode-languageserver';
import type { LanguageOptions } from '#features/language/messages.ts';
import { dirName } from '#base/path.ts';
import { modelProjects } from '#model/project/projects.ts';
import type { LanguageHost } from '#language-server/host.ts';
import { MODEL_FOLDERS } from '#model/project/model-folders.ts';
import { normalizeUri } from '#language-server/documents/uris.ts';
import { rootUri } from './root-origin.ts';

/**
 * Resolves to the folders of models in the folders of an editor that configures none: each model found is a namespace of its own,
 * and other files of a folder that look like a model share one (docs/model-language.md#where-models-are).
 */
export async function guessedRoots(host: LanguageHost, given: readonly string[]): Promise<readonly string[]> {
  const folders = given.map((folder) => wholeModel(rootUri(folder)));
  const found = await Promise.all(folders.map((folder) => modelsIn(host, folder)));
  return [...found.flat(), ...folders];
}

/**
 * Returns the folder of the model if the user has opened only its cubes or views: what these name lies beside them. No other folder is
 * widened, because a folder around it may hold anything.
 */
function wholeModel(folder: string): string {
  return IN_MODEL.test(folder) ? dirName(folder) : folder;
}

const IN_MODEL = new RegExp(`/(?:${MODEL_FOLDERS.join('|')})/(?:cubes|views)$`);

/** Returns the URI of a folder of which an old client gives the path only. */
export function folderAtPath(path: string): string {
  return rootUri(`file:///${path.split(/[\\/]/).filter(Boolean).map(encodeURIComponent).join('/')}`);
}

async function modelsIn(host: LanguageHost, folder: string): Promise<readonly string[]> {
  const uris = (await host.listFiles(folder)).map(normalizeUri);
  const paths = uris.flatMap((uri) => (uri.startsWith(`${folder}/`) ? [uri.slice(folder.length + 1)] : []));
  const projects = await modelProjects(paths, (path) => host.readFile(`${folder}/${path}`));
  return projects.flatMap(({ model }) => (model === '' ? [] : [`${folder}/${model}`]));
}

/** Returns the options after the user has added folders to an editor that configures none, or has removed some. */
export function withFolders(
  options: LanguageOptions,
  { added, removed }: WorkspaceFoldersChangeEvent,
): LanguageOptions {
  // An editor may write a folder in another way when it removes it.
  const gone = new Set(removed.map(({ uri }) => rootUri(uri)));
  const now = (folders: readonly string[]): readonly string[] => [
    ...new Set([...folders.map(rootUri).filter((uri) => !gone.has(uri)), ...added.map(({ uri }) => rootUri(uri))]),
  ];
  return { ...options, roots: now(options.roots), tableFolders: now(options.tableFolders ?? []) };
}
