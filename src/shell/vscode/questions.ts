import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { textOf, type UserText } from '#base/user-text.ts';
import type { ErrorAction } from '#shell/user-error.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';

/** Asks in a dialog that has one button besides *Cancel*; resolves to whether the user pressed that button. */
export async function confirmed(question: UserText, button: UserText, detail?: UserText): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, button)) === button;
}

/** Shows a warning with a button for each next step, and runs the chosen one. */
export async function warnAndOffer(message: string, actions: readonly ErrorAction[]): Promise<void> {
  const answer = await vscode.window.showWarningMessage(textOf(message), ...actions.map(({ title }) => textOf(title)));
  const action = actions.find(({ title }) => title === answer);
  if (action) await execute(action.command, action.argument);
}
