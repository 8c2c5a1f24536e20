import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { theExtension } from './extension.ts';
import { problemsOf } from './problems.ts';
import { describe, it } from './runner.ts';

const file = (): vscode.Uri => {
  const folder = vscode.workspace.workspaceFolders?.[1];
  if (!folder) throw new Error('the suites run in a workspace of two folders');
  return vscode.Uri.joinPath(folder.uri, 'modelbench.json');
};

const write = async (text: string): Promise<vscode.TextDocument> => {
  await vscode.workspace.fs.writeFile(file(), new TextEncoder().encode(text));
  const document = await vscode.workspace.openTextDocument(file());
  await vscode.window.showTextDocument(document);
  return document;
};

describe('modelbench.json', () => {
  it('is checked by its schema and completes its keys', async () => {
    await theExtension().extension.activate();
    try {
      const document = await write('{\n  "tenant": "https://acme.example.com",\n  "deployment": true,\n  "\n}\n');
      const problems = await problemsOf(file(), (messages) => messages.some((text) => text.includes('Incorrect type')));
      assert.ok(problems.length > 0);
      const position = document.positionAt(document.getText().lastIndexOf('"') + 1);
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        file(),
        position,
      );
      const labels = list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
      assert.ok(labels.includes('modelPath'), labels.join(', '));
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.workspace.fs.delete(file());
    }
  });
});
