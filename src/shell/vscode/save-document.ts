import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { systemClock } from '#base/clock.ts';
import { baseName } from '#base/path.ts';
import { saveAgain } from '#shell/save-again.ts';
import { UserError } from '#shell/user-error.ts';

/** Saves a document that others may save at the same time; resolves to `false` if VS Code cannot save it. */
export async function saveDocument(document: vscode.TextDocument): Promise<boolean> {
  let begun = 0;
  const listening = vscode.workspace.onWillSaveTextDocument((saved) => {
    if (saved.document === document) begun++;
  });
  try {
    return await saveAgain(document, { clock: systemClock, begun: () => begun });
  } finally {
    listening.dispose();
  }
}

/** As `saveDocument`, but throws `UserError` if VS Code cannot save it. */
export async function requireSaved(document: vscode.TextDocument): Promise<void> {
  if (await saveDocument(document)) return;
  const name = baseName(document.uri.path);
  throw new UserError(`VS Code did not save “${name}”. Save it in its editor, then try again.`);
}
