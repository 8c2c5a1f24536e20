import type { ReviewedEdit, ReviewedMove } from '#features/language/messages.ts';
import { applyReviewed, type EditReviewDeps, moveReviewed } from '#features/review/vscode/index.ts';
import { UserError } from '#shell/user-error.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';

/** Opens the review of a quick fix that removes or moves text. */
export async function reviewEdit(
  deps: EditReviewDeps,
  { title, uri, range, removed, text }: ReviewedEdit,
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  const { start, end } = range;
  const own = new vscode.Range(start.line, start.character, end.line, end.character);
  if (withLineFeeds(document.getText(own)) !== withLineFeeds(removed))
    throw new UserError('The file was edited after the fix was offered. Choose the fix again.');
  await applyReviewed(deps, { title, from: 'Quick fix', document, range: own, text });
}

function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Opens the review of a quick fix that moves a file. */
export async function reviewMove(deps: EditReviewDeps, { title, uri, to }: ReviewedMove): Promise<void> {
  await moveReviewed(deps, title, vscode.Uri.parse(uri, true), vscode.Uri.parse(to, true));
}
