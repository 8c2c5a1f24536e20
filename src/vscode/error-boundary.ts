import * as vscode from '#vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import type { Logger } from '#base/log.ts';
import { asError } from '#base/async.ts';
import { errorWords } from '#features/error-words.ts';

/** Shows and logs what went wrong; resolves when the person has answered or closed the message. */
export type ErrorBoundary = (what: string, thrown: unknown) => Promise<void>;

/** The one place where errors become words (architecture, rule 5). */
export function errorBoundary(logger: Logger): ErrorBoundary {
  return async (what, thrown) => {
    const words = errorWords(thrown);
    switch (words.kind) {
      case 'silent':
        return;
      case 'expected': {
        logger.warn(`${what}: ${words.message}`);
        // VS Code cuts a message without a button to one line.
        const action = words.action ?? { title: 'Show Log', command: 'modelbench.showLog', argument: undefined };
        const button = textOf(action.title);
        const chosen = await vscode.window.showErrorMessage(textOf(words.message), button);
        if (chosen === button) await vscode.commands.executeCommand(action.command, action.argument);
        return;
      }
      case 'bug': {
        logger.error(`${what}: ${words.message}`, { stack: asError(thrown).stack });
        const chosen = await vscode.window.showErrorMessage(text`Something went wrong: ${words.message}`, 'Show Log');
        if (chosen === 'Show Log') await vscode.commands.executeCommand('modelbench.showLog');
      }
    }
  };
}
