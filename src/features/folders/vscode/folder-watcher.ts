import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { baseName } from '#base/path.ts';
import { systemClock } from '#base/clock.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import { refreshAfterChanges } from '#features/folders/outside-changes.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import { fileUri } from './folder-uris.ts';
import type { FolderPicker } from './deps.ts';

/**
 * Checks a linked folder when something other than an editor creates, deletes or changes files in it: a script, a checkout,
 * another program.
 */
export function folderWatcher({ syncs }: Pick<FolderPicker, 'syncs'>): Contribution {
  return {
    id: 'folderWatcher',
    register: (store) => {
      const changed = store.add(new Emitter<string>());
      const watched = new Map<string, Disposable>();
      const update = (): void => {
        const wanted = new Map(syncs.all.value.map(({ folder }) => [folder.folderId, folder.link.modelPath]));
        for (const [folderId, watch] of watched) {
          if (wanted.has(folderId)) continue;
          watch.dispose();
          watched.delete(folderId);
        }
        for (const [folderId, path] of wanted) {
          if (watched.has(folderId)) continue;
          watched.set(
            folderId,
            watchOutside(fileUri({ folderId, path }), () => changed.fire(folderId)),
          );
        }
      };
      store.add(refreshAfterChanges(changed.event, syncs, systemClock));
      store.add(syncs.all.onDidChange(update));
      store.add({ dispose: () => watched.forEach((watch) => watch.dispose()) });
      update();
    },
  };
}

/** Reports changes in a folder that no editor saved. Skips hidden files, which include our own temporary ones. */
export function watchOutside(folder: vscode.Uri, onChange: (uri: vscode.Uri) => void): Disposable {
  const store = new DisposableStore();
  const watcher = store.add(vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '**')));
  const isHidden = ({ path }: vscode.Uri): boolean => baseName(path).startsWith('.');
  const report = (uri: vscode.Uri): void => {
    if (!isHidden(uri)) onChange(uri);
  };
  store.add(watcher.onDidCreate(report));
  store.add(watcher.onDidDelete(report));
  // Editors report their own saves. But another program may change a file that is open in an editor.
  const saves = new Map<string, Promise<string | undefined>>();
  store.add(vscode.workspace.onDidSaveTextDocument(({ uri }) => saves.set(uri.toString(), stampOf(uri))));
  store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => saves.delete(uri.toString())));
  const isSave = async (uri: vscode.Uri): Promise<boolean> => {
    // One save can be reported several times, and before VS Code reports it as saved.
    const now = await stampOf(uri);
    return now !== undefined && now === (await saves.get(uri.toString()));
  };
  store.add(
    watcher.onDidChange(async (uri) => {
      if (!(await isSave(uri))) report(uri);
    }),
  );
  return store;
}

/** Resolves to a stamp that distinguishes two versions of a file without reading it; `undefined` if it is not available. */
async function stampOf(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const { mtime, size } = await vscode.workspace.fs.stat(uri);
    return `${mtime} ${size}`;
  } catch {
    return undefined;
  }
}
