import * as vscode from '#shell/vscode/guarded/vscode.ts';

/** Asks where to save and writes the bytes there; the suggested name is derived from the title. */
export async function saveAs(title: string, extension: string, bytes: Uint8Array): Promise<void> {
  const name = `${fileName(title)}.${extension}`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const defaultUri = folder ? vscode.Uri.joinPath(folder, name) : undefined;
  const filters = { [extension.toUpperCase()]: [extension] };
  const uri = await vscode.window.showSaveDialog({ filters, ...(defaultUri ? { defaultUri } : {}) });
  if (uri) await vscode.workspace.fs.writeFile(uri, bytes);
}

function fileName(title: string): string {
  return (
    title
      .replaceAll(/[^\p{L}\p{N} _-]+/gu, '')
      .trim()
      .slice(0, 80) || 'result'
  );
}
