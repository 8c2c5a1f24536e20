import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { asError, Sequencer } from '#base/async.ts';
import { systemClock } from '#base/clock.ts';
import { isEqual } from '#base/equal.ts';
import type { DisposableStore } from '#base/disposable.ts';
import type { Logger } from '#base/log.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import { pathInside } from '#base/path.ts';
import { folderEvents } from '#features/language/folder-events.ts';
import { isListed, listedFiles, listedModels } from '#features/folders/index.ts';
import { modelsBelow, MOST_FILES, SKIPPED } from '#features/folders/vscode/index.ts';
import type { FoundModel } from '#features/language/model-roots.ts';
import { isProjectFile } from '#model/project/configuration/project-file.ts';
import { looksLikeModel } from '#model/project/looks-like-model.ts';

/**
 * Returns the models of the window's folders, linked or not; `undefined` until the first search has ended, which waits for
 * `after`. It follows files and folders that appear or disappear, and fires only if the result changes.
 */
export function foundModels(
  after: Promise<void>,
  logger: Logger,
  store: DisposableStore,
): ReadonlyStore<readonly FoundModel[] | undefined> {
  const models = store.add(new Store<readonly FoundModel[] | undefined>(undefined, isEqual));
  const searches = new Sequencer();
  let isAskedFor = false;
  let named: readonly string[] = [];
  const search = (): void => {
    if (isAskedFor) return;
    isAskedFor = true;
    const run = async (): Promise<void> => {
      await after;
      isAskedFor = false;
      const found = await searchModels();
      named = found.named;
      models.set(found.models);
    };
    searches.queue(run).catch((error: unknown) => {
      logger.warn('The folders of this window could not be searched for models', { error: asError(error).message });
      models.set(models.value ?? []);
    });
  };
  const news = store.add(folderEvents(systemClock, search));
  const isSearched = (uri: vscode.Uri): boolean =>
    isListed(uri.path) || named.some((folder) => uri.toString().startsWith(`${folder}/`));
  const heard = (uri: vscode.Uri): void => {
    if (isSearched(uri)) news.heard();
  };
  const files = store.add(
    vscode.workspace.createFileSystemWatcher('**/{*.yml,*.yaml,*.jinja,*.js,cube.py,.env,.gitignore}'),
  );
  store.add(files.onDidCreate(heard));
  store.add(files.onDidDelete(heard));
  store.add(
    files.onDidChange(({ path }) => {
      if (isProjectFile(path) || path.endsWith('/.gitignore')) news.heard();
    }),
  );
  store.add(
    vscode.workspace.onDidSaveTextDocument((document) => {
      const { uri } = document;
      // The file may have been empty when it was created.
      const isNew = isSearched(uri) && !isInModel(uri, models.value);
      if (isNew && looksLikeModel(uri.path, document.getText())) news.heard();
    }),
  );
  store.add(vscode.workspace.onDidChangeWorkspaceFolders(search));
  search();
  return models;
}

function isInModel(uri: vscode.Uri, models: readonly FoundModel[] = []): boolean {
  return models.some(({ model }) => uri.toString().startsWith(`${model}/`));
}

/** The result of a search in all folders, as URIs. */
interface Found {
  readonly models: readonly FoundModel[];
  /** The folders that a configuration names. */
  readonly named: readonly string[];
}

async function searchModels(): Promise<Found> {
  const lists = await Promise.all(
    listedFiles.map((glob) => Promise.resolve(vscode.workspace.findFiles(glob, SKIPPED, MOST_FILES))),
  );
  const byFolder = new Map<vscode.Uri, string[]>();
  for (const uri of new Map(lists.flat().map((each) => [each.toString(), each])).values()) {
    const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
    if (!folder) continue;
    const paths = byFolder.get(folder) ?? [];
    byFolder.set(folder, paths);
    paths.push(pathInside(uri.path, folder.path) ?? uri.path);
  }
  const found = await Promise.all([...byFolder].map(([folder, paths]) => modelsIn(folder, paths)));
  const models = found.flatMap((each) => each.models).sort((a, b) => (a.model < b.model ? -1 : 1));
  return { models, named: found.flatMap((each) => each.named) };
}

async function modelsIn(folder: vscode.Uri, paths: readonly string[]): Promise<Found> {
  const at = (path: string): string => vscode.Uri.joinPath(folder, path).toString().replace(/\/$/, '');
  const { models, named } = await modelsBelow(folder, listedModels, paths);
  return {
    models: models.map(({ model, configuration }) => ({
      model: at(model),
      project: configuration === undefined ? undefined : at(configuration.split('/').slice(0, -1).join('/')),
    })),
    named: named.map(at),
  };
}
