import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { UserError } from '#shell/user-error.ts';
import { FileProblem } from '#sync/core/ports.ts';
import { requireRealFile } from '#sync/disk/real-path.ts';

/**
 * Writes a file of a folder, with its folders, and resolves to its address. Throws `UserError` if the file is a symbolic link, or
 * behind one that leads out of the folder: a project that someone else made must not choose what is replaced elsewhere.
 */
export async function writeInFolder(folder: vscode.Uri, path: string, content: string): Promise<vscode.Uri> {
  requireInFolder(folder, path);
  const uri = vscode.Uri.joinPath(folder, path);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(content));
  return uri;
}

/** Throws `UserError` unless {@link writeInFolder} may write a file now. */
export function requireInFolder(folder: vscode.Uri, path: string): void {
  // Other file systems are not on this machine.
  if (folder.scheme !== 'file') return;
  try {
    requireRealFile(folder.fsPath, path);
  } catch (error) {
    if (error instanceof FileProblem) throw Object.assign(new UserError(error.message), { cause: error });
    throw error;
  }
}
