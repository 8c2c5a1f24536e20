import * as vscode from '#vscode/guarded/vscode.ts';
import { systemClock } from '#base/clock.ts';
import type { FileChange, ProposalFiles } from '#chat/proposal-review.ts';
import { UserError } from '#features/user-error.ts';
import { caseTwinOf, requireRealFile } from '#node/real-path.ts';
import { FileProblem } from '#sync/ports.ts';

const SAVES = 5;
const SAVE_AGAIN_MS = 200;

/** Files of a folder through the editor: unsaved text is seen, changes can be undone, saving is what a person does. */
export function editorFiles(folder: vscode.Uri): ProposalFiles {
  const at = (path: string): vscode.Uri => vscode.Uri.joinPath(folder, path);
  return {
    read: async (path) => {
      const open = openDocument(at(path));
      if (open) return { text: open.getText(), isUnsaved: open.isDirty };
      const text = await textOf(at(path));
      return text === undefined ? undefined : { text, isUnsaved: false };
    },
    refusalOf: (path) => refusalOf(folder, path),
    write: async (changes) => {
      for (const { path } of changes) {
        const refusal = refusalOf(folder, path);
        if (refusal !== undefined) throw new UserError(`${path} was not changed. ${refusal}`);
      }
      await write(changes, at);
    },
  };
}

/** A path that leads out of the folder, or means another file on some systems, is not written to. */
function refusalOf(folder: vscode.Uri, path: string): string | undefined {
  if (folder.scheme !== 'file') return undefined;
  try {
    requireRealFile(folder.fsPath, path);
  } catch (error) {
    if (error instanceof FileProblem) return error.message;
    throw error;
  }
  const twin = caseTwinOf(folder.fsPath, path);
  return twin === undefined ? undefined : `${twin} exists, and the names differ only in letter case.`;
}

/** The text of a file on the disk; `undefined` where there is none. */
async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

/** One edit for all files, so that one *Undo* takes all of it back; then each is saved. */
async function write(changes: readonly FileChange[], at: (path: string) => vscode.Uri): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const saved: vscode.Uri[] = [];
  for (const { path, text } of changes) {
    const uri = at(path);
    if (text === undefined) {
      edit.deleteFile(uri, { ignoreIfNotExists: true });
      continue;
    }
    saved.push(uri);
    if ((await textOf(uri)) === undefined) edit.createFile(uri, { contents: new TextEncoder().encode(text) });
    else {
      const document = await vscode.workspace.openTextDocument(uri);
      edit.replace(uri, document.validateRange(new vscode.Range(0, 0, Number.MAX_SAFE_INTEGER, 0)), text);
    }
  }
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new Error('The editor did not take the change. Nothing was written.');
  for (const uri of saved) await save(uri);
}

/** A save that begins while another one of the same document runs is given up by VS Code; asked again, it saves. */
async function save(uri: vscode.Uri): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const document = openDocument(uri);
    if (document?.isDirty !== true || (await document.save())) return;
    if (attempt === SAVES) {
      const name = vscode.workspace.asRelativePath(uri);
      throw new UserError(`VS Code did not save ${name}. The change is in its editor: save it there.`);
    }
    await systemClock.sleep(SAVE_AGAIN_MS);
  }
}

function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}
