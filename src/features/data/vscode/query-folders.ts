import * as vscode from '#shell/vscode/guarded/vscode.ts';

/**
 * Reports folders of queries that are created or deleted as a whole, for example by a checkout: VS Code then names the folder,
 * and may report nothing about its files.
 */
export function watchQueryFolders(told: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/queries', false, true, false);
  watcher.onDidCreate(told);
  watcher.onDidDelete(told);
  return watcher;
}
