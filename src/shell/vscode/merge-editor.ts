import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { decodedText } from '#base/decoded-text.ts';
import { encodedText } from '#base/encoded-text.ts';
import { baseName } from '#base/path.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import { UserError } from '#shell/user-error.ts';

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

/** Closes the merge editor of a resolved file. */
export async function closeMergeEditor(output: vscode.Uri): Promise<void> {
  const merging = mergeTabs(output).filter((tab) => !tab.isDirty);
  if (merging.length > 0) await vscode.window.tabGroups.close(merging);
}

/**
 * Replaces a document's text; the edit can be undone. Throws `UserError` if VS Code read a newer text from the disk meanwhile: that
 * stays as it is.
 */
export async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  const before = document.getText();
  if (text === before) return;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(0), document.positionAt(before.length)), text);
  if (await vscode.workspace.applyEdit(edit)) return;
  const name = baseName(document.uri.path);
  throw new UserError(
    `“${name}” was changed outside this window just now, so it was left as it is. Check it, then try again.`,
  );
}

/**
 * Replaces the text of a file and saves it. VS Code refuses to save over a file that another program or window wrote since VS
 * Code last read it: if the file still holds the document's former text (or the new one), it is written directly. Throws
 * `UserError` if it holds anything else: the text is then in the unsaved document, or nowhere if VS Code read the file meanwhile.
 */
export async function saveText(document: vscode.TextDocument, text: string): Promise<void> {
  const before = document.getText();
  await replaceText(document, text);
  await document.save();
  if (!document.isDirty) return;
  const { uri } = document;
  const bytes = await vscode.workspace.fs.readFile(uri);
  const onDisk = decodedText(bytes);
  if (onDisk !== before && onDisk !== text) {
    const name = baseName(uri.path);
    throw new UserError(
      `“${name}” was changed outside this window. Compare the editor with the file, then save one of them.`,
    );
  }
  await vscode.workspace.fs.writeFile(uri, encodedText(text, bytes));
  await vscode.window.showTextDocument(document, { preview: false });
  await executeBuiltIn('workbench.action.files.revert');
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
