import * as vscode from '#shell/vscode/guarded/vscode.ts';

/** Opens a file at a line. */
export async function openLocation(uri: string, line: number): Promise<void> {
  const start = new vscode.Position(line, 0);
  await vscode.window.showTextDocument(vscode.Uri.parse(uri, true), { selection: new vscode.Range(start, start) });
}
