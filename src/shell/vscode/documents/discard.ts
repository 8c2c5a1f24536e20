import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import { baseName } from '#base/path.ts';

/** Asks the user whether unsent changes of a document may be discarded. */
export async function mayDiscard(path: string): Promise<boolean> {
  const discard = 'Discard and Reload';
  const answer = await vscode.window.showWarningMessage(
    text`“${baseName(path)}” has unsent changes.`,
    { modal: true, detail: text`Reloading it from the platform discards them.` },
    'Keep Editing',
    discard,
  );
  return answer === discard;
}
