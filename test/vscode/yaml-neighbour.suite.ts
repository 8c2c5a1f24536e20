import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { theExtension } from './extension.ts';
import { codesOf, problemCodes, problemsThat } from './problems.ts';
import { describe, it } from './runner.ts';
import { until } from './until.ts';

const MODEL = `cubes:
    - name: neighbour
      sql_table:   t
      titel: x
      dimensions:
        - name: id
          sql: id
          type: number
      measures:
        - name: rows
          type: count
          drill_members: [id]
      \n`;

async function written(): Promise<vscode.TextDocument> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const uri = vscode.Uri.joinPath(folder.uri, 'neighbour/model/cubes/neighbour.yml');
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(MODEL));
  return vscode.workspace.openTextDocument(uri);
}

/** The place behind a text. */
function behind(document: vscode.TextDocument, text: string): vscode.Position {
  return document.positionAt(document.getText().indexOf(text) + text.length);
}

async function hovers(document: vscode.TextDocument, text: string): Promise<readonly string[]> {
  const found = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    document.uri,
    behind(document, text),
  );
  return found.map(({ contents }) => contents.map((each) => (typeof each === 'string' ? each : each.value)).join('\n'));
}

/** How often each of these is offered behind a text. */
async function offered(
  document: vscode.TextDocument,
  text: string,
  ...names: readonly string[]
): Promise<readonly number[]> {
  const at = behind(document, text);
  const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
    'vscode.executeCompletionItemProvider',
    document.uri,
    at,
  );
  const labels = items.map(({ label }) => (typeof label === 'string' ? label : label.label));
  return names.map((name) => labels.filter((label) => label === name).length);
}

async function formatted(document: vscode.TextDocument): Promise<string> {
  const options = { tabSize: 2, insertSpaces: true };
  const edits = await vscode.commands.executeCommand<vscode.TextEdit[] | undefined>(
    'vscode.executeFormatDocumentProvider',
    document.uri,
    options,
  );
  return JSON.stringify(edits ?? []);
}

// The last suite: what was installed stays active until the window is closed.
describe('beside another YAML extension', () => {
  let ours = 'nothing';

  // @shows other-yaml-servers
  it('all is ours while there is none', async () => {
    await theExtension().extension.activate();
    const document = await written();
    await problemCodes(document.uri, (found) => found.includes('unknown-key'));
    assert.match((await hovers(document, 'sql_ta')).join('\n'), /^\*\*sql_table\*\*/);
    assert.deepEqual(await offered(document, 'drill_members: [id]\n      ', 'segments'), [1]);
    ours = await formatted(document);
    assert.notEqual(ours, '[]');
  });

  // @shows other-yaml-servers
  it('keys, what they mean and the format are left to one that is installed; names of the model stay ours', async () => {
    const vsix = vscode.Uri.joinPath(theExtension().extension.extensionUri, '.cache/suites/yaml-neighbour.vsix');
    await vscode.commands.executeCommand('workbench.extensions.installExtension', vsix);
    const document = await written();
    // Its server starts, and ours again without formatting.
    await until(async () => {
      const words = await hovers(document, 'sql_ta');
      return words.length === 1 && words[0]?.includes('Source:') === true;
    });
    await until(async () => (await offered(document, 'drill_members: [id]\n      ', 'segments'))[0] === 1);
    await until(async () => (await offered(document, 'drill_members: [', 'id'))[0] === 1);
    assert.match((await hovers(document, 'drill_members: [i')).join('\n'), /neighbour\.id.*dimension/);
    await until(async () => (await formatted(document)) !== ours);
  });

  // @shows other-yaml-servers
  it('reports no problem twice: what the language refuses is ours, what YAML refuses is the other’s', async () => {
    const document = await written();
    await problemCodes(document.uri, (found) => found.includes('unknown-key'));
    const sources = (): readonly string[] =>
      vscode.languages.getDiagnostics(document.uri).map(({ source }) => source ?? '');
    assert.deepEqual(sources(), ['modelbench']);
    const edit = new vscode.WorkspaceEdit();
    const at = behind(document, 'sql: ');
    edit.insert(document.uri, at, '"x" ');
    assert.ok(await vscode.workspace.applyEdit(edit));
    const isOnce = (found: readonly vscode.Diagnostic[]): boolean =>
      found.some(({ source }) => source === 'YAML') && !codesOf(document.uri).includes('yaml-syntax');
    await problemsThat(document.uri, isOnce);
    const mend = new vscode.WorkspaceEdit();
    mend.delete(document.uri, new vscode.Range(at, at.translate(0, 4)));
    assert.ok(await vscode.workspace.applyEdit(mend));
    await problemsThat(document.uri, (found) => found.every(({ source }) => source === 'modelbench'));
    await document.save();
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(document.uri, '../../..'), { recursive: true });
  });
});
