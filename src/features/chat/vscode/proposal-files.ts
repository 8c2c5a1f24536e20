import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { lineChanges } from '#base/merge-lines.ts';
import {
  type FileChange,
  FileMovedOn,
  type FileNow,
  type ProposalFiles,
  type RequireLanding,
} from '#chat-core/proposal-ports.ts';
import { UserError } from '#shell/user-error.ts';
import { caseVariantOf, requireRealFile } from '#sync/disk/real-path.ts';
import { FileProblem } from '#sync/core/ports.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import { textIfThere } from '#shell/vscode/files-on-disk.ts';
import { saveDocument } from '#shell/vscode/save-document.ts';

/** How long VS Code may take to notice what another program wrote. */
const CATCH_UP_MS = 2000;

/** Copies a file to the trash before it is replaced. */
export type CopyToTrash = (path: string) => Promise<void>;

/**
 * Returns access to a folder's files through the editor: reads see unsaved text, and the user can undo changes. A file without
 * unsaved edits is saved; one with unsaved edits is left for the user to save.
 */
export function editorFiles(folder: vscode.Uri, setAside: CopyToTrash): Omit<ProposalFiles, 'merge'> {
  const at = (path: string): vscode.Uri => vscode.Uri.joinPath(folder, path);
  return {
    read: (path) => readFile(at(path)),
    refusalOf: (path) => refusalOf(folder, path),
    errorIn: (path) =>
      vscode.languages.getDiagnostics(at(path)).find(({ severity }) => severity === vscode.DiagnosticSeverity.Error)
        ?.message,
    write: async (changes, requireLanding) => {
      for (const { path, before } of changes) {
        const refusal = refusalOf(folder, path);
        if (refusal !== undefined) throw new UserError(`${path} was not changed. ${refusal}`);
        if ((await readFile(at(path)))?.text !== before) throw new FileMovedOn(path);
      }
      for (const { path, before } of changes) if (before !== undefined) await setAside(path);
      await write(changes, at, requireLanding);
    },
  };
}

/** Reads a file. If it has no unsaved edits, the disk is the truth: VS Code notices changes by other programs late. */
export async function readFile(uri: vscode.Uri): Promise<FileNow | undefined> {
  const open = openDocument(uri);
  if (open?.isDirty === true) return { text: unified(open.getText()), isUnsaved: true };
  const text = await textIfThere(uri);
  return text === undefined ? undefined : { text: unified(text), isUnsaved: false };
}

/**
 * Waits until a document without unsaved edits has the text of the disk, because VS Code could not save an edit of an older text.
 * A document that VS Code does not watch is reverted to the disk.
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

/** Resolves when a document change makes `isSo` true, or after a timeout. */
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

/** Returns why a path must not be written: it leads out of the folder, or means another file on some systems. */
function refusalOf(folder: vscode.Uri, path: string): string | undefined {
  if (folder.scheme !== 'file') return undefined;
  try {
    requireRealFile(folder.fsPath, path);
    const variant = caseVariantOf(folder.fsPath, path);
    return variant === undefined ? undefined : `${variant} exists, and the names differ only in letter case.`;
  } catch (error) {
    if (error instanceof FileProblem) return error.message;
    return 'No file can be created at this path: one of its folders is a file or cannot be read.';
  }
}

/** Writes all files in one edit, so that one *Undo* reverts all of it. */
async function write(
  changes: readonly FileChange[],
  at: (path: string) => vscode.Uri,
  requireLanding: RequireLanding | undefined,
): Promise<void> {
  await readAgain(changes, at);
  const edit = new vscode.WorkspaceEdit();
  const saved: vscode.Uri[] = [];
  // Nothing is awaited from here on, so that the text compared is the text edited.
  requireLanding?.();
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

/** Opens the files that are there, as they are on the disk. */
async function readAgain(changes: readonly FileChange[], at: (path: string) => vscode.Uri): Promise<void> {
  for (const { path, before } of changes) {
    if (before === undefined) continue;
    await vscode.workspace.openTextDocument(at(path));
    await caughtUp(at(path));
  }
}

async function save(uri: vscode.Uri): Promise<void> {
  const document = openDocument(uri);
  if (document?.isDirty !== true || (await saveDocument(document))) return;
  const name = vscode.workspace.asRelativePath(uri);
  throw new UserError(`VS Code did not save ${name}. The change is in its editor: save it there.`);
}

function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

function unified(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
