import * as vscode from 'vscode';

/** The name of a document's file. */
export const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Asks before changes of a document are lost that were not sent. */
export async function mayDiscard(path: string): Promise<boolean> {
  const discard = 'Discard and Read Anew';
  const answer = await vscode.window.showWarningMessage(
    `“${nameIn(path)}” has changes that were not sent.`,
    { modal: true, detail: 'Reading it anew from the platform discards them.' },
    'Keep Editing',
    discard,
  );
  return answer === discard;
}
