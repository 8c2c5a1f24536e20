import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { theExtension } from './extension.ts';
import { problemsOf } from './problems.ts';
import { describe, it } from './runner.ts';

/** No account of this window has this short id: what needs none works all the same. */
const request = vscode.Uri.parse('modelbench-api:/00000000/createBranch.request.json');
const schema = vscode.Uri.parse('modelbench-api:/00000000/schema/createBranch.json');

describe('the API Explorer', () => {
  it('makes a request that was open in an earlier window anew, to be edited and saved', async () => {
    await theExtension().extension.activate();
    const document = await vscode.workspace.openTextDocument(request);
    assert.equal(document.languageId, 'json');
    const text = JSON.parse(document.getText()) as Record<string, unknown>;
    assert.deepEqual(text, {
      $schema: schema.toString(),
      params: { deploymentId: '' },
      body: { name: '' },
    });
    const edit = new vscode.WorkspaceEdit();
    edit.replace(request, whole(document), JSON.stringify({ ...text, body: { nam: 'x' } }, undefined, 2));
    await vscode.workspace.applyEdit(edit);
    assert.equal(await document.save(), true);
    assert.match(new TextDecoder().decode(await vscode.workspace.fs.readFile(request)), /"nam"/);
  });

  it('lets VS Code check a request by the schema of its operation', async () => {
    const document = await vscode.workspace.openTextDocument(request);
    await vscode.window.showTextDocument(document);
    const problems = await problemsOf(request, (messages) => messages.some((message) => message.includes('nam')));
    assert.ok(
      problems.some((message) => message.includes('"name"')),
      problems.join('\n'),
    );
  });

  it('offers the fields of the operation', async () => {
    const document = await vscode.workspace.openTextDocument(request);
    const position = document.positionAt(document.getText().indexOf('"nam"') + 1);
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      request,
      position,
    );
    const labels = list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    assert.ok(labels.includes('enterDevMode'), labels.join(', '));
  });

  it('keeps schemas read-only and knows no other files', async () => {
    const { permissions } = await vscode.workspace.fs.stat(schema);
    assert.equal(permissions, vscode.FilePermission.Readonly);
    await assert.rejects(
      Promise.resolve(vscode.workspace.fs.readFile(request.with({ path: '/00000000/nothing.json' }))),
    );
    await assert.rejects(Promise.resolve(vscode.workspace.fs.delete(request)));
  });
});

function whole(document: vscode.TextDocument): vscode.Range {
  return new vscode.Range(0, 0, document.lineCount, 0);
}
