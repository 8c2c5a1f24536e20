import * as vscode from 'vscode';
import { tabNamed } from './editors.ts';
import { theExtension } from './extension.ts';
import { problemCodes } from './problems.ts';
import { describe, it } from './runner.ts';

describe('the page of a problem', () => {
  // @shows diagnostic-pages
  it('opens beside the model: as a preview, or as it is written where there is none', async () => {
    await theExtension().extension.activate();
    const content = 'cubes:\n  - name: loose\n    sql_table: t\n    shown: true\n';
    const document = await vscode.workspace.openTextDocument({ language: 'yaml', content });
    const editor = await vscode.window.showTextDocument(document);
    await problemCodes(document.uri, (found) => found.includes('deprecated'));
    const position = new vscode.Position(3, 6);
    editor.selection = new vscode.Selection(position, position);
    await vscode.commands.executeCommand('modelbench.language.explainProblem');
    await tabNamed(/deprecated\.md$/);
  });
});
