import * as vscode from '#shell/vscode/guarded/vscode.ts';

/** Removes the folders of other versions of the extension beside `folder`, because they are not read again. */
export async function removeOlderThan(folder: vscode.Uri): Promise<void> {
  const parent = vscode.Uri.joinPath(folder, '..');
  const name = folder.path.split('/').at(-1);
  const entries = await vscode.workspace.fs.readDirectory(parent);
  for (const [entry] of entries)
    if (entry !== name) await vscode.workspace.fs.delete(vscode.Uri.joinPath(parent, entry), { recursive: true });
}
