import * as vscode from 'vscode';

/** The uses of the name at a place, in VS Code's own view of references; asked for by a code lens. */
export async function showReferences(
  uri: string,
  position: { readonly line: number; readonly character: number },
): Promise<void> {
  const target = vscode.Uri.parse(uri);
  const at = new vscode.Position(position.line, position.character);
  const found = await vscode.commands.executeCommand<vscode.Location[]>('vscode.executeReferenceProvider', target, at);
  await vscode.commands.executeCommand('editor.action.showReferences', target, at, found);
}

/** Saves the JSON Schema of data models where the person says, for editors without this extension. */
export async function exportSchema(media: vscode.Uri | undefined): Promise<void> {
  if (!media) return;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    filters: { 'JSON Schema': ['json'] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, 'model.schema.json') } : {}),
  });
  if (target)
    await vscode.workspace.fs.copy(vscode.Uri.joinPath(media, 'schema', 'model.schema.json'), target, {
      overwrite: true,
    });
}
