import { isInside } from '#base/path.ts';
import { text, textOf } from '#base/user-text.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { Hint } from '#shell/user-error.ts';
import { canBeModel } from './can-be-model.ts';

/**
 * Resolves to the URI of a document or folder of the model that a command is about: the active editor's model, otherwise the
 * window's only model, otherwise the one that the user chooses. Resolves to `undefined` if the user chooses none; throws `Hint`
 * if the window has no model. `roots` are the window's models.
 */
export async function modelOfWindow(roots: readonly string[]): Promise<string | undefined> {
  const document = vscode.window.activeTextEditor?.document;
  const uri = document?.uri.toString();
  if (document && uri !== undefined && (roots.some((root) => isInside(uri, root)) || canBeModel(document))) return uri;
  if (roots.length === 0) throw new Hint('This window has no data model. Open a file of one first.');
  if (roots.length === 1) return roots[0];
  const items = roots.map((root) => ({ label: textOf(vscode.workspace.asRelativePath(vscode.Uri.parse(root))), root }));
  return (await vscode.window.showQuickPick(items, { placeHolder: text`Which data model do you mean?` }))?.root;
}
