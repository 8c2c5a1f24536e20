import * as vscode from 'vscode';
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
        const { action } = words;
        const chosen = await vscode.window.showErrorMessage(words.message, ...(action ? [action.title] : []));
        if (action && chosen === action.title) await vscode.commands.executeCommand(action.command, action.argument);
        return;
      }
      case 'bug': {
        logger.error(`${what}: ${words.message}`, { stack: asError(thrown).stack });
        const chosen = await vscode.window.showErrorMessage(`Something went wrong: ${words.message}`, 'Show Log');
        if (chosen === 'Show Log') await vscode.commands.executeCommand('modelbench.showLog');
      }
    }
  };
}
