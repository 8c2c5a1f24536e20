import * as vscode from 'vscode';
import { baseName } from '#base/path.ts';

/** Asks before changes of a document are lost that were not sent. */
export async function mayDiscard(path: string): Promise<boolean> {
  const discard = 'Discard and Read Anew';
  const answer = await vscode.window.showWarningMessage(
    `“${baseName(path)}” has changes that were not sent.`,
    { modal: true, detail: 'Reading it anew from the platform discards them.' },
    'Keep Editing',
    discard,
  );
  return answer === discard;
}
