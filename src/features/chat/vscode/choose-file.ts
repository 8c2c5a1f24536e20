import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { newFileProblem } from '#chat-core/proposed-files.ts';

/** Asks for the model file that a text should become. The file is never guessed. */
export async function chooseFile(root: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
  const files = await vscode.workspace.findFiles('**/*.{yml,yaml,js,jinja}', '**/node_modules/**', 2000);
  const items = [
    { label: text`$(new-file) New File…`, uri: undefined },
    ...files
      .map((uri) => ({ label: textOf(vscode.workspace.asRelativePath(uri)), uri }))
      .toSorted((a, b) => a.label.localeCompare(b.label)),
  ];
  const picked = await vscode.window.showQuickPick(items, { title: text`Which File Should Get This Code?` });
  if (!picked) return undefined;
  return picked.uri ?? (root && newFile(root));
}

async function newFile(root: vscode.Uri): Promise<vscode.Uri | undefined> {
  const path = await vscode.window.showInputBox({
    title: text`New File`,
    prompt: text`Path inside ${vscode.workspace.getWorkspaceFolder(root)?.name ?? 'the folder'}`,
    value: 'model/cubes/new.yml',
    validateInput: (value) => textOf(newFileProblem(value)),
  });
  return path === undefined ? undefined : vscode.Uri.joinPath(root, path);
}
