import { decodedText } from '#base/decoded-text.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';

/** Whether a file or folder is there. */
export async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** The text of a file, `undefined` where there is none. Throws `FileSystemError` where it cannot be read. */
export async function textIfThere(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return decodedText(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}
