import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { problemQuestion } from '#features/chat/asked-about.ts';
import type { CommandId } from '#shell/commands/commands.ts';
import type { ChatWindowDeps } from './deps.ts';

const ASK: CommandId = 'modelbench.chat.ask';

/** Provides *Ask the Agent to Fix This* for each problem of a model file. */
export function askActions({ isModelFile }: Pick<ChatWindowDeps, 'isModelFile'>): vscode.CodeActionProvider {
  return {
    provideCodeActions: (document, _range, { diagnostics }) => {
      if (!isModelFile(document.uri)) return [];
      const path = vscode.workspace.asRelativePath(document.uri);
      return diagnostics.map((problem) => {
        const { message, range } = problem;
        const action = new vscode.CodeAction('Ask the Agent to Fix This', vscode.CodeActionKind.QuickFix);
        action.diagnostics = [problem];
        const question = problemQuestion({ path, line: range.start.line + 1, message, fileText: document.getText() });
        action.command = { command: ASK, title: 'Ask the Agent', arguments: [question] };
        return action;
      });
    },
  };
}
