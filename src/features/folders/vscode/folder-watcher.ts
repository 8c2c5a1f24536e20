import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { baseName } from '#base/path.ts';
import { systemClock } from '#base/clock.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import { lookAfterChanges } from '#features/folders/outside-changes.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import { fileUri } from './folder-uris.ts';
import type { Services } from '#compose/services.ts';

/** Looks at a linked folder when files in it come, go or change without an editor: a script, a checkout, another program. */
export function folderWatcher({ syncs }: Services): Contribution {
  return {
    id: 'folderWatcher',
    register: (store) => {
      const changed = store.add(new Emitter<string>());
      const watched = new Map<string, Disposable>();
      const settle = (): void => {
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
      store.add(lookAfterChanges(changed.event, syncs, systemClock));
      store.add(syncs.all.onDidChange(settle));
      store.add({ dispose: () => watched.forEach((watch) => watch.dispose()) });
      settle();
    },
  };
}

/** Tells of changes below a folder that no editor saved; files that are hidden, as our own unfinished ones, are left out. */
export function watchOutside(folder: vscode.Uri, tell: (uri: vscode.Uri) => void): Disposable {
  const store = new DisposableStore();
  const watcher = store.add(vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '**')));
  const isHidden = ({ path }: vscode.Uri): boolean => baseName(path).startsWith('.');
  const told = (uri: vscode.Uri): void => {
    if (!isHidden(uri)) tell(uri);
  };
  store.add(watcher.onDidCreate(told));
  store.add(watcher.onDidDelete(told));
  // What an editor saves is told by the editor. A file that another program changes may be open all the same.
  const saved = new Set<string>();
  store.add(vscode.workspace.onDidSaveTextDocument(({ uri }) => saved.add(uri.toString())));
  store.add(
    watcher.onDidChange((uri) => {
      if (!saved.delete(uri.toString())) told(uri);
    }),
  );
  return store;
}
