import * as vscode from 'vscode';

/** What happens at once is told once, milliseconds. */
const together = 50;

/**
 * Tells when folders came or went past VS Code: of one that is moved or removed whole, watchers tell nothing of the files in
 * it.
 */
export function watchFolderMoves(told: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher('**/*', false, true, false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (): void => {
    clearTimeout(timer);
    timer = setTimeout(told, together);
  };
  watcher.onDidDelete((uri) => {
    if (canBeFolder(uri)) tell();
  });
  watcher.onDidCreate((uri) => {
    if (canBeFolder(uri)) isFolder(uri).then((is) => is && tell(), tell);
  });
  return new vscode.Disposable(() => {
    clearTimeout(timer);
    watcher.dispose();
  });
}

/** Files have an extension, nearly all of them; what Git and package managers write holds no model. */
function canBeFolder({ path }: vscode.Uri): boolean {
  return !/\.\w{1,5}$/.test(path) && !/\/(?:\.git|node_modules)\//.test(path);
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  const { type } = await vscode.workspace.fs.stat(uri);
  return (type & vscode.FileType.Directory) !== 0;
}
