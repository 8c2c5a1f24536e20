import { passage, text } from '#base/user-text.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';

/** Asks for confirmation before a sign-out, and whether to erase the data stored on this machine; `undefined` means cancelled. */
export async function confirmSignOut(label: string): Promise<'erase' | 'keep' | undefined> {
  const [erase, keep] = [text`Sign Out and Erase`, text`Sign Out`];
  const detail = passage(
    'Its keys are removed. “Sign Out and Erase” also removes its chat transcripts, texts that you have not sent, earlier versions of files and trash from this machine, but no file of your folders.',
  );
  const answer = await vscode.window.showWarningMessage(
    text`Sign out of ${label}?`,
    { modal: true, detail },
    erase,
    keep,
  );
  if (answer === undefined) return undefined;
  return answer === erase ? 'erase' : 'keep';
}
