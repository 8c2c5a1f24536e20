import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf, type UserText } from '#base/user-text.ts';
import type { Logger } from '#base/log.ts';
import { asError } from '#base/async.ts';
import { type ErrorTexts, errorTexts } from '#shell/error-texts.ts';
import type { ErrorAction } from '#shell/user-error.ts';
import { refreshCommands } from '#shell/refresh-commands.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';

/**
 * Shows and logs an error; resolves when the user has answered or closed the message. `again` repeats the failed action if that
 * is possible.
 */
export type ErrorBoundary = (what: string, thrown: unknown, again?: () => Promise<unknown>) => Promise<void>;

type Choices = Readonly<Record<string, () => Thenable<unknown>>>;

/** Creates the error boundary: the only place where errors become messages. */
export function errorBoundary(logger: Logger): ErrorBoundary {
  return async (what, thrown, again) => {
    const texts = errorTexts(thrown);
    switch (texts.kind) {
      case 'silent':
        return;
      case 'hint': {
        const { message, action } = texts;
        logger.info(`${what}: ${message}`);
        await offer(textOf(message), helpOf(action), vscode.window.showInformationMessage);
        return;
      }
      case 'expected': {
        logger.warn(`${what}: ${texts.message}`);
        await offer(textOf(texts.message), choicesFor(what, texts, again));
        return;
      }
      case 'bug': {
        logger.error(`${what}: ${texts.message}`, { stack: asError(thrown).stack });
        await offer(text`Something went wrong: ${texts.message}`, showLog);
      }
    }
  };
}

const showLog: Choices = { 'Show Log': () => execute('modelbench.showLog') };

function choicesFor(
  what: string,
  { action, repeats }: Extract<ErrorTexts, { readonly kind: 'expected' }>,
  again: (() => Promise<unknown>) | undefined,
): Choices {
  const repeated = repeats && again ? { 'Try Again': again } : {};
  const refreshed = repeats ? { Refresh: async () => refresh(what) } : {};
  const choices = { ...helpOf(action), ...repeated, ...refreshed };
  // VS Code truncates a message without a button to one line.
  return Object.keys(choices).length === 0 ? showLog : choices;
}

function helpOf(action: ErrorAction | undefined): Choices {
  return action ? { [action.title]: () => execute(action.command, action.argument) } : {};
}

async function refresh(what: string): Promise<void> {
  for (const command of refreshCommands(what)) await execute(command);
}

async function offer(
  message: UserText,
  choices: Choices,
  show: typeof vscode.window.showErrorMessage = vscode.window.showErrorMessage,
): Promise<void> {
  const buttons = Object.keys(choices).map((title) => textOf(title));
  const chosen = await show(message, ...buttons);
  if (chosen !== undefined) await choices[chosen]?.();
}
