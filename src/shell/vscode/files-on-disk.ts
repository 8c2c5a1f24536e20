import { decodedText } from '#base/decoded-text.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';

/** Whether a file or folder exists. */
export async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** Resolves to the bytes of a file; `undefined` if there is none. */
export async function bytesIfThere(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  return (await exists(uri)) ? vscode.workspace.fs.readFile(uri) : undefined;
}

/**
 * Reads the text of a file; resolves to `undefined` if it does not exist. Rejects with `FileSystemError` if it cannot be read.
 */
export async function textIfThere(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return decodedText(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}
