import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { systemClock } from '#base/clock.ts';
import { folderEvents } from '#features/language/folder-events.ts';

/**
 * Reports folders that appeared or disappeared outside of VS Code. When a whole folder is moved or removed, watchers report
 * nothing about its files; when one appears, they may miss what was written before they watch it.
 */
export function watchFolderMoves(told: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/*', false, true, false);
  const news = folderEvents(systemClock, told);
  watcher.onDidDelete((uri) => {
    if (canBeFolder(uri)) news.heard();
  });
  watcher.onDidCreate((uri) => {
    if (canBeFolder(uri)) isFolder(uri).then((is) => is && news.heard(), news.heard);
  });
  return vscode.Disposable.from(watcher, news);
}

/**
 * Whether a path can be a folder: nearly all files have an extension. Folders that Git and package managers write contain no
 * model.
 */
function canBeFolder({ path }: vscode.Uri): boolean {
  return !/\.\w{1,5}$/.test(path) && !/\/(?:\.git|node_modules)\//.test(path);
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  const { type } = await vscode.workspace.fs.stat(uri);
  return (type & vscode.FileType.Directory) !== 0;
}
