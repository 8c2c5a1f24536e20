import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { textOf } from '#base/user-text.ts';

/**
 * Changes a file's text after the user has reviewed the change in VS Code's refactor preview; resolves to whether it was applied.
 * Replaces only the range that differs. Does not save the file.
 */
export async function applyReviewed(uri: string, text: string, title: string): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  const before = document.getText();
  const { start, end, inserted } = difference(before, text);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  edit.replace(document.uri, range, inserted, { label: textOf(title), needsConfirmation: true });
  return (await vscode.workspace.applyEdit(edit)) && document.getText() !== before;
}

/** Returns the one range in which two texts differ. */
function difference(
  before: string,
  after: string,
): { readonly start: number; readonly end: number; readonly inserted: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { start, end: before.length - tail, inserted: after.slice(start, after.length - tail) };
}
