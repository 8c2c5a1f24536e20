import * as vscode from '#shell/vscode/guarded/vscode.ts';

/** Removes what other versions of the extension left beside `folder`: it is not read again. */
export async function removeOlderThan(folder: vscode.Uri): Promise<void> {
  const parent = vscode.Uri.joinPath(folder, '..');
  const name = folder.path.split('/').at(-1);
  const entries = await vscode.workspace.fs.readDirectory(parent);
  for (const [entry] of entries)
    if (entry !== name) await vscode.workspace.fs.delete(vscode.Uri.joinPath(parent, entry), { recursive: true });
}
