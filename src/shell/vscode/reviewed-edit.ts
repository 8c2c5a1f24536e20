import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { textOf } from '#base/user-text.ts';

/**
 * Gives a file another text once the user has reviewed the change in VS Code's own preview; whether it was applied. Only what
 * differs is replaced. The file is not saved.
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

/** The one stretch in which two texts differ. */
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
