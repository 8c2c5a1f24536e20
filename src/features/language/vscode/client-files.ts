import { decodedText } from '#base/decoded-text.ts';
import type { ListedFiles } from '#features/language/messages.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { isUnreadFolder } from '#model/project/model-folders.ts';

const FILES: Readonly<Record<ListedFiles, RegExp>> = {
  model: /\.(?:ya?ml|jinja|js)$/,
  agents: /\.(?:ya?ml|md|markdown)$/,
};

/** Resolves to the URIs of all files of a kind below a folder, through VS Code's file systems (remote documents, the web). */
export async function listFiles(root: string, kind: ListedFiles = 'model'): Promise<string[]> {
  const found: string[] = [];
  const visit = async (folder: vscode.Uri): Promise<void> => {
    const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(folder)).catch(() => []);
    for (const [name, type] of entries) {
      const uri = vscode.Uri.joinPath(folder, name);
      if (type === vscode.FileType.Directory && !isUnreadFolder(name)) await visit(uri);
      else if (type !== vscode.FileType.Directory && FILES[kind].test(name)) found.push(uri.toString());
    }
  };
  await visit(vscode.Uri.parse(root));
  return found;
}

/** Resolves to the text of a file; `null` if it does not exist or cannot be read. */
export async function readFileText(uri: string): Promise<string | null> {
  return Promise.resolve(vscode.workspace.fs.readFile(vscode.Uri.parse(uri))).then(
    (bytes) => decodedText(bytes),
    () => null,
  );
}
