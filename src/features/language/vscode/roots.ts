import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { derived } from '#base/derived.ts';
import type { DisposableStore } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import type { ReadonlyStore } from '#base/store.ts';
import { type LinkedModel, modelRoots, type ModelRoots } from '#features/language/model-roots.ts';
import { MODEL_FOLDERS } from '#model/project/model-folders.ts';
import type { LinkedFolder } from '#features/platform/index.ts';
import { remoteScheme } from '#shell/view-ids.ts';
import type { LanguageDependencies } from './dependencies.ts';
import { foundModels } from './found-models.ts';

/** Follows the folders of this window that each contain a model; those of branches while a document of them is open. */
export function followRoots(
  { links, whenLinksFound, logger }: Pick<LanguageDependencies, 'links' | 'whenLinksFound' | 'logger'>,
  store: DisposableStore,
): ReadonlyStore<ModelRoots> {
  const opened = store.add(new Emitter<void>());
  const remoteOnes = (document: vscode.TextDocument): void => {
    if (document.uri.scheme === remoteScheme) opened.fire();
  };
  store.add(vscode.workspace.onDidOpenTextDocument(remoteOnes));
  store.add(vscode.workspace.onDidCloseTextDocument(remoteOnes));
  // Until the links are known, no model is read as an unlinked one.
  const found = foundModels(whenLinksFound, logger, store);
  return store.add(
    derived(() => {
      opened.track();
      return modelRoots(links.value.flatMap(linkedModel), found.value, remoteModels());
    }),
  );
}

function linkedModel({ folderId, link }: LinkedFolder): readonly LinkedModel[] {
  if (!link) return [];
  const folder = vscode.Uri.parse(folderId, true);
  return [{ folder: plain(folder), model: plain(vscode.Uri.joinPath(folder, link.modelPath)) }];
}

function plain(uri: vscode.Uri): string {
  return uri.toString().replace(/\/$/, '');
}

function remoteModels(): readonly string[] {
  return vscode.workspace.textDocuments.flatMap(({ uri }) =>
    uri.scheme === remoteScheme ? [plain(branchModel(uri))] : [],
  );
}

/** Returns `/branch/model` for `/branch/model/cubes/orders.yml`; the whole branch if the model is elsewhere. */
function branchModel(uri: vscode.Uri): vscode.Uri {
  const [branch = '', first = ''] = uri.path.slice(1).split('/');
  const isModel = MODEL_FOLDERS.some((name) => name === first);
  return uri.with({ path: isModel ? `/${branch}/${first}` : `/${branch}` });
}
