import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { problemQuestion } from '#features/chat/asked-about.ts';
import type { CommandId } from '#shell/commands/commands.ts';
import { definesName } from '#features/chat/defined-names.ts';
import type { ChatWindowDeps } from './deps.ts';

const ASK: CommandId = 'modelbench.chat.ask';
const ASK_ABOUT: CommandId = 'modelbench.chat.askAboutMember';

/**
 * Provides *Ask the Agent to Fix This* for each problem of a model file, and *Ask the Agent About This Cube or Member* on the line
 * that names one.
 */
export function askActions({ isModelFile }: Pick<ChatWindowDeps, 'isModelFile'>): vscode.CodeActionProvider {
  return {
    provideCodeActions: (document, { start, end }, { diagnostics }) => {
      if (!isModelFile(document.uri)) return [];
      const path = vscode.workspace.asRelativePath(document.uri);
      const fixes = diagnostics.map((problem) => {
        const { message, range } = problem;
        const action = new vscode.CodeAction('Ask the Agent to Fix This', vscode.CodeActionKind.QuickFix);
        action.diagnostics = [problem];
        const question = problemQuestion({ path, line: range.start.line + 1, message, fileText: document.getText() });
        action.command = { command: ASK, title: 'Ask the Agent', arguments: [question] };
        return action;
      });
      const isOnName = start.line === end.line && definesName(document.lineAt(start.line).text, document.languageId);
      return isOnName ? [...fixes, aboutName()] : fixes;
    },
  };
}

function aboutName(): vscode.CodeAction {
  const title = 'Ask the Agent About This Cube or Member';
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.Empty);
  action.command = { command: ASK_ABOUT, title };
  return action;
}
