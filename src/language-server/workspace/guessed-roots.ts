import type { WorkspaceFoldersChangeEvent } from 'vscode-languageserver';
import type { LanguageOptions } from '#features/language/messages.ts';
import { modelProjects } from '#model/project/projects.ts';
import type { LanguageHost } from '#language-server/host.ts';
import { normalizeUri } from '#language-server/documents/uris.ts';

/**
 * Resolves to the folders of models in the folders of an editor that configures none: each model found is a namespace of its own,
 * and other files of a folder that look like a model share one (docs/model-language.md#where-models-are).
 */
export async function guessedRoots(host: LanguageHost, folders: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(folders.map((folder) => modelsIn(host, normalizeUri(folder).replace(/\/$/, ''))));
  return [...found.flat(), ...folders];
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
  const gone = new Set(removed.map(({ uri }) => uri));
  const now = (folders: readonly string[]): readonly string[] => [
    ...new Set([...folders.filter((uri) => !gone.has(uri)), ...added.map(({ uri }) => uri)]),
  ];
  return { ...options, roots: now(options.roots), tableFolders: now(options.tableFolders ?? []) };
}
