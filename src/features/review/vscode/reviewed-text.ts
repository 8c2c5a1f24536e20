import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { applyReviewed, type DocumentEdit, type EditReviewDeps } from './reviewed-edit.ts';

/** A file's new text, with the title of the change and where it comes from. */
export interface NewText extends Pick<DocumentEdit, 'title' | 'from'> {
  readonly uri: string;
  readonly text: string;
}

/**
 * Changes a file and resolves to whether it was changed, as {@link applyReviewed}; replaces only the range in which the texts
 * differ.
 */
export async function applyReviewedText(deps: EditReviewDeps, { uri, text, title, from }: NewText): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  const { start, end, inserted } = difference(document.getText(), text);
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  return applyReviewed(deps, { title, from, document, range, text: inserted });
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
