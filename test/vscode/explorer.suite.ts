import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ExplorerFiles } from '#features/api-explorer/vscode/files.ts';
import { theExtension } from './extension.ts';
import { problemsOf } from './problems.ts';
import { describe, it } from './runner.ts';

/** No account of this window has this short id: what needs none works all the same. */
const request = vscode.Uri.parse('modelbench-api:/00000000/createBranch.request.json');
const schema = vscode.Uri.parse('modelbench-api:/00000000/schema/createBranch.json');

describe('the API Explorer', () => {
  it('makes a request that was open in an earlier window again, to be edited and saved', async () => {
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

  it('keeps what was written into a request for the next window, until a new one takes its place', async () => {
    const written = vscode.Uri.parse('modelbench-api:/kept/listRegions.request.json');
    const kept = new Map<string, string>();
    const earlier = filesKeptIn(kept);
    await earlier.writeFile(written, new TextEncoder().encode('{"query":{}}'));
    earlier.put(request, '{}');
    earlier.dispose();
    const later = filesKeptIn(kept);
    const read = async (uri: vscode.Uri) => new TextDecoder().decode(await later.readFile(uri));
    assert.deepEqual([await read(written), await read(request)], ['{"query":{}}', 'made anew']);
    later.put(written, 'another');
    assert.equal(kept.size, 0);
    await assert.rejects(later.writeFile(schema, new Uint8Array()));
    later.dispose();
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

/** The explorer’s files in a window of their own. */
function filesKeptIn(kept: Map<string, string>): ExplorerFiles {
  return new ExplorerFiles(
    () => Promise.resolve('made anew'),
    {
      get: (uri) => Promise.resolve(kept.get(uri.path)),
      set: (uri, text) => {
        if (text === undefined) kept.delete(uri.path);
        else kept.set(uri.path, text);
        return Promise.resolve();
      },
    },
    'modelbench-api-test',
  );
}

function whole(document: vscode.TextDocument): vscode.Range {
  return new vscode.Range(0, 0, document.lineCount, 0);
}
