import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import { baseName } from '#base/path.ts';

/** Asks before changes of a document are lost that were not sent. */
export async function mayDiscard(path: string): Promise<boolean> {
  const discard = 'Discard and Read Anew';
  const answer = await vscode.window.showWarningMessage(
    text`“${baseName(path)}” has changes that were not sent.`,
    { modal: true, detail: text`Reading it anew from the platform discards them.` },
    'Keep Editing',
    discard,
  );
  return answer === discard;
}
