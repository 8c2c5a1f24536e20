import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { decodedText } from '#base/decoded-text.ts';
import { encodedText } from '#base/encoded-text.ts';
import { baseName } from '#base/path.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import { UserError } from '#shell/user-error.ts';
import { exists } from '#shell/vscode/files-on-disk.ts';
import { saveDocument } from '#shell/vscode/save-document.ts';

/** One side of a merge, as its pane is labelled. */
export interface MergeSide {
  readonly uri: vscode.Uri;
  readonly title: string;
  readonly description: string;
}

export interface MergeSides {
  readonly base: vscode.Uri;
  readonly theirs: MergeSide;
  readonly mine: MergeSide;
}

/** Opens VS Code's merge editor on a file; resolves to false if the host has none, because the command is internal to VS Code. */
export async function openMergeEditor(output: vscode.Uri, { base, theirs, mine }: MergeSides): Promise<boolean> {
  try {
    await executeBuiltIn('_open.mergeEditor', { base, input1: theirs, input2: mine, output });
    return true;
  } catch {
    return false;
  }
}

/**
 * Opens a file with the text that it has on disk. VS Code reads what another program wrote only later, or never if nothing
 * watches the folder. A document with unsaved edits stays as it is.
 */
export async function openCurrent(file: vscode.Uri): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(file);
  if (document.isDirty || !(await exists(file))) return document;
  const onDisk = decodedText(await vscode.workspace.fs.readFile(file));
  if (onDisk !== document.getText()) await readAgain(document);
  return document;
}

async function readAgain(document: vscode.TextDocument): Promise<void> {
  await vscode.window.showTextDocument(document, { preview: false });
  await executeBuiltIn('workbench.action.files.revert');
}

/** Closes the merge editor of a resolved file. */
export async function closeMergeEditor(output: vscode.Uri): Promise<void> {
  const merging = mergeTabs(output).filter((tab) => !tab.isDirty);
  if (merging.length > 0) await vscode.window.tabGroups.close(merging);
}

/**
 * Replaces a document's text; the edit can be undone. Throws `UserError` if the text changed meanwhile, because VS Code read a
 * newer one from the disk or someone typed: that text stays as it is.
 */
export async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  const before = document.getText();
  await replaceWhere(document, text, () => document.getText() === before);
}

/**
 * Replaces the text of a file and saves it, together with what is typed until then. VS Code refuses to save over a file that
 * another program or window wrote since VS Code last read it: if the file still holds a former text of the document (or the new one),
 * it is written directly. Throws `UserError` if it holds anything else: the text is then in the unsaved document, or nowhere if
 * VS Code read the file meanwhile.
 */
export async function saveText(document: vscode.TextDocument, text: string): Promise<void> {
  let before = document.getText();
  const ofDocument = new Set([before, text]);
  await replaceWhere(document, text, () => {
    const now = document.getText();
    // VS Code reads only those files again that are not changed in an editor.
    const isOfEditor = document.isDirty || now === before;
    before = now;
    ofDocument.add(now);
    return isOfEditor;
  });
  if (await saveDocument(document)) return;
  const { uri } = document;
  const bytes = await vscode.workspace.fs.readFile(uri);
  if (!ofDocument.has(decodedText(bytes))) {
    const name = baseName(uri.path);
    throw new UserError(
      `“${name}” was changed outside this window. Compare the editor with the file, then save one of them.`,
    );
  }
  await vscode.workspace.fs.writeFile(uri, encodedText(text, bytes));
  await readAgain(document);
}

/**
 * Replaces a document's text. VS Code refuses an edit if the document changed while the edit was on its way (a merge editor that
 * opens can change it, too): the edit is made again while `mayReplace` accepts the new text.
 */
async function replaceWhere(document: vscode.TextDocument, text: string, mayReplace: () => boolean): Promise<void> {
  for (;;) {
    const { version } = document;
    const now = document.getText();
    if (now === text) return;
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(document.positionAt(0), document.positionAt(now.length)), text);
    if (await vscode.workspace.applyEdit(edit)) return;
    if (document.version === version || !mayReplace()) break;
  }
  const name = baseName(document.uri.path);
  throw new UserError(`“${name}” changed just now, so it was left as it is. Check it, then try again.`);
}

/** Whether the closed tabs included a file's last merge editor: it may have been open twice, or moved to another group. */
export function wasLastMerge(closed: readonly vscode.Tab[], output: vscode.Uri): boolean {
  return closed.some((tab) => isMergeOf(tab, output)) && !isMerging(output);
}

/** Whether a merge editor of a file is open. */
export function isMerging(output: vscode.Uri): boolean {
  return mergeTabs(output).length > 0;
}

function mergeTabs(output: vscode.Uri): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter((tab) => isMergeOf(tab, output)));
}

/** Compares titles if the input is missing, because the stable API does not include the merge editor's input. */
function isMergeOf({ input, label }: vscode.Tab, output: vscode.Uri): boolean {
  if (input === undefined) return label.endsWith(`: ${baseName(output.path)}`);
  const result = typeof input === 'object' && input !== null && 'result' in input ? input.result : undefined;
  return result instanceof vscode.Uri && result.toString() === output.toString();
}
