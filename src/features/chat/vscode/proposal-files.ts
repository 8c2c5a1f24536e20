import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { systemClock } from '#base/clock.ts';
import { lineChanges } from '#base/merge-lines.ts';
import { type FileChange, FileMovedOn, type FileNow, type ProposalFiles } from '#chat-core/proposal-ports.ts';
import { UserError } from '#shell/user-error.ts';
import { caseTwinOf, requireRealFile } from '#sync/disk/real-path.ts';
import { FileProblem } from '#sync/core/ports.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import { textIfThere } from '#shell/vscode/files-on-disk.ts';

const SAVES = 5;
const SAVE_AGAIN_MS = 200;
/** Longest time that VS Code is given to see what another program wrote. */
const CATCH_UP_MS = 2000;

/** Copies a file to the trash before it is replaced. */
export type SetAside = (path: string) => Promise<void>;

/**
 * Files of a folder through the editor: unsaved text is seen, and changes can be undone there. A file without unsaved edits is
 * saved; one with them is left to the user to save.
 */
export function editorFiles(folder: vscode.Uri, setAside: SetAside): Omit<ProposalFiles, 'merge'> {
  const at = (path: string): vscode.Uri => vscode.Uri.joinPath(folder, path);
  return {
    read: (path) => readFile(at(path)),
    refusalOf: (path) => refusalOf(folder, path),
    errorIn: (path) =>
      vscode.languages.getDiagnostics(at(path)).find(({ severity }) => severity === vscode.DiagnosticSeverity.Error)
        ?.message,
    write: async (changes) => {
      for (const { path, before } of changes) {
        const refusal = refusalOf(folder, path);
        if (refusal !== undefined) throw new UserError(`${path} was not changed. ${refusal}`);
        if ((await readFile(at(path)))?.text !== before) throw new FileMovedOn(path);
      }
      for (const { path, before } of changes) if (before !== undefined) await setAside(path);
      await write(changes, at);
    },
  };
}

/** Of a document without unsaved edits the disk knows better: VS Code is late to see what other programs write. */
async function readFile(uri: vscode.Uri): Promise<FileNow | undefined> {
  const open = openDocument(uri);
  if (open?.isDirty === true) return { text: unified(open.getText()), isUnsaved: true };
  const text = await textIfThere(uri);
  return text === undefined ? undefined : { text: unified(text), isUnsaved: false };
}

/**
 * Waits until a document without unsaved edits has the text of the disk: an edit of an older text could not be saved. One that
 * VS Code does not watch is read again.
 */
async function caughtUp(uri: vscode.Uri): Promise<void> {
  const text = await textIfThere(uri);
  const isBehind = (): boolean => {
    const document = openDocument(uri);
    if (document === undefined || document.isDirty || text === undefined) return false;
    return unified(document.getText()) !== unified(text);
  };
  if (!isBehind()) return;
  await changeUntil(() => !isBehind());
  if (!isBehind()) return;
  await vscode.window.showTextDocument(uri, { preview: true });
  // If the user has started typing meanwhile, their text stays.
  if (isBehind()) await executeBuiltIn('workbench.action.files.revert');
}

/** Resolves when a change of a document makes it so, or after a while. */
async function changeUntil(isSo: () => boolean): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      listening.dispose();
      resolve();
    };
    const timer = setTimeout(end, CATCH_UP_MS);
    const listening = vscode.workspace.onDidChangeTextDocument(() => {
      if (isSo()) end();
    });
  });
}

/** A path that leads out of the folder, or means another file on some systems, is not written to. */
function refusalOf(folder: vscode.Uri, path: string): string | undefined {
  if (folder.scheme !== 'file') return undefined;
  try {
    requireRealFile(folder.fsPath, path);
    const twin = caseTwinOf(folder.fsPath, path);
    return twin === undefined ? undefined : `${twin} exists, and the names differ only in letter case.`;
  } catch (error) {
    if (error instanceof FileProblem) return error.message;
    return 'No file can be created at this path: one of its folders is a file or cannot be read.';
  }
}

/** One edit for all files, so that one *Undo* takes all of it back. */
async function write(changes: readonly FileChange[], at: (path: string) => vscode.Uri): Promise<void> {
  for (const { path, before } of changes) {
    if (before === undefined) continue;
    await vscode.workspace.openTextDocument(at(path));
    await caughtUp(at(path));
  }
  const edit = new vscode.WorkspaceEdit();
  const saved: vscode.Uri[] = [];
  // Nothing is awaited from here on: what is compared is what is edited.
  for (const { path, before, text } of changes) {
    const uri = at(path);
    const document = openDocument(uri);
    if (before !== undefined && (!document || unified(document.getText()) !== before)) throw new FileMovedOn(path);
    if (before === undefined) edit.createFile(uri, { contents: new TextEncoder().encode(text) });
    else if (text === undefined) edit.deleteFile(uri, { ignoreIfNotExists: true });
    else {
      if (document?.isDirty !== true) saved.push(uri);
      for (const { start, end, lines } of lineChanges(before, text))
        edit.replace(uri, new vscode.Range(start, 0, end, 0), lines.join(''));
    }
  }
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new UserError('VS Code did not apply the change. Nothing was written.');
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

function unified(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
