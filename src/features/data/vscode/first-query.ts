import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { asError } from '#base/async.ts';
import type { DisposableStore } from '#base/disposable.ts';
import { queryGlob } from '#features/data/query-glob.ts';
import { findQueryFiles, watchQueryFolders } from './query-folders.ts';
import type { TestExplorerDeps } from './test-explorer.ts';

/** Loads the Test Explorer once the window has a query file; most windows never have one. The entry of its own bundle. */
export function openWithFirstQuery(deps: TestExplorerDeps, store: DisposableStore): void {
  const watcher = store.add(vscode.workspace.createFileSystemWatcher(queryGlob, false, true, true));
  let opened: Promise<unknown> | undefined;
  const open = (): void => {
    opened ??= import('#features/data/vscode/test-explorer.ts')
      .then(async (module) => store.add(await module.openTestExplorer(deps)))
      .catch((error: unknown) =>
        deps.logger.error('The tests of queries could not be listed', { stack: asError(error).stack }),
      );
  };
  store.add(watcher.onDidCreate(open));
  const find = (): void => {
    if (opened) return;
    void findQueryFiles(1).then(([first]) => {
      if (first) open();
    });
  };
  store.add(watchQueryFolders(find));
  find();
}
