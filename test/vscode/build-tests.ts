import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Desk } from './desk.ts';
import { problemsThat } from './problems.ts';
import { it } from './runner.ts';

const path = 'model/cubes/orders.yml';
const faulty = (text: string): string => text.replace('type: string', 'type: strng');

/** What the platform knows of the branch, in the editor; begins and ends with a model that is built. */
export function buildTests(desk: () => Promise<Desk>, branch: () => string): void {
  const file = async (): Promise<vscode.Uri> => vscode.Uri.joinPath((await desk()).folder, path);

  // @shows build-errors, stale-build-errors
  it('mark what a build refuses; an edit makes it information, Undo restores it', async () => {
    const own = await desk();
    const uri = await file();
    const before = await own.read(path);
    await own.edit(path, faulty);
    const [found] = await built(uri, (all) => all.some(isError));
    assert.ok(found);
    assert.equal(found.source, `Modelbench build of ${branch()}`);
    const document = await vscode.workspace.openTextDocument(uri);
    const marked = (range: vscode.Range): string => document.lineAt(range.start.line).text.trim();
    assert.equal(marked(found.range), 'type: strng');

    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), '# above\n');
    await vscode.workspace.applyEdit(edit);
    const [outdated] = await built(uri, (all) => all.some((each) => !isError(each)));
    assert.ok(outdated);
    assert.equal(outdated.severity, vscode.DiagnosticSeverity.Information);
    assert.equal(outdated.tags, undefined);
    assert.match(outdated.message, /\nReported for an earlier version of this file\.$/);
    assert.equal(document.getText(outdated.range), 'type: strng');

    const undo = new vscode.WorkspaceEdit();
    undo.delete(uri, new vscode.Range(0, 0, 1, 0));
    await vscode.workspace.applyEdit(undo);
    const [again] = await built(uri, (all) => all.some(isError));
    assert.equal(again?.message, found.message);
    assert.equal(await document.save(), true);

    await own.edit(path, () => before);
    await built(uri, (all) => all.length === 0);
  });

  // @shows workspace-uses
  it('name what production’s branch has and this one no more, with the dashboards that use it', async () => {
    const own = await desk();
    const sales = 'model/views/sales.yml';
    const before = await own.read(sales);
    const uri = vscode.Uri.joinPath(own.folder, sales);
    await own.edit(sales, (text) =>
      text.replace('          - revenue\n', '').replace('includes: [revenue, ', 'includes: ['),
    );
    await problemsThat(uri, (all) =>
      all.some(({ message }) =>
        /“sales\.revenue” was removed: it still exists on main.* Used by .*dashboard “/.test(message),
      ),
    );
    await own.edit(sales, () => before);
    await problemsThat(uri, (all) => all.length === 0);
  });
}

/** What builds said of a document, once it is what is waited for. */
async function built(
  uri: vscode.Uri,
  areThere: (found: readonly vscode.Diagnostic[]) => boolean,
): Promise<readonly vscode.Diagnostic[]> {
  const ofBuild = (all: readonly vscode.Diagnostic[]): readonly vscode.Diagnostic[] =>
    all.filter(({ source }) => source?.startsWith('Modelbench build of ') === true);
  return ofBuild(await problemsThat(uri, (all) => areThere(ofBuild(all))));
}

const isError = ({ severity }: vscode.Diagnostic): boolean => severity === vscode.DiagnosticSeverity.Error;
