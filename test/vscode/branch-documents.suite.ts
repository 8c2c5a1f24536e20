import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type Desk, sitDown } from './desk.ts';
import { pick, press } from './user.ts';
import { describe, it } from './runner.ts';
import { openTrash } from './trash-box.ts';

const orders = 'model/cubes/orders.yml';

let desk: Desk;
let dev = '';
/** The document of the branch, and the branch's first version of it. */
let document: vscode.TextDocument;
let first = '';

const onBranch = (path: string): vscode.Uri => document.uri.with({ path: document.uri.path.replace(orders, path) });

/** Replaces the text of the document and saves it; answers whether it was saved. */
async function save(text: string): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  await vscode.workspace.applyEdit(edit);
  return document.save();
}

const problems = (): readonly string[] =>
  vscode.languages
    .getDiagnostics(document.uri)
    .map(({ message }) => message)
    .filter((message) => message.startsWith('Not saved'));

/** Looks again with each request to the platform. */
const until = (isSo: () => Promise<boolean> | boolean): Promise<void> => desk.until(async () => isSo());

describe('a document of a dev branch without a local copy', () => {
  it('is saved to the branch, and what it replaces can be restored', async () => {
    desk = await sitDown('branch-documents');
    const before = await desk.heads();
    await desk.start('main');
    dev = [...(await desk.heads()).keys()].find((name) => !before.has(name)) ?? '';
    await desk.user.does('modelbench.branch.openFile', desk.on(dev), pick('orders.yml'));
    const opened = vscode.window.activeTextEditor?.document;
    assert.equal(opened?.uri.scheme, 'modelbench');
    document = opened;
    first = document.getText();
    assert.equal(await save(`${first}# second\n`), true);
    assert.equal(await desk.remote(dev, orders), `${first}# second\n`);

    const rows = await openTrash(desk.on(dev), (box) => {
      box.selectedItems = box.items;
      box.does('accept');
    });
    assert.match(
      rows.map(({ detail }) => detail).join('\n'),
      /replaced when a document of the branch was saved · .+B$/,
    );
    assert.equal(await desk.remote(dev, orders), first);
    await until(() => document.getText() === first);
  });

  it('keeps a refused save in Problems until it is saved, and overwrites nothing', async () => {
    // What the restored version set off is over, and theirs comes at the last moment: VS Code cannot have seen it.
    await desk.user.does('modelbench.changes.refresh', desk.target);
    const theirs = vscode.workspace.onWillSaveTextDocument((event) =>
      event.waitUntil(desk.putRemote(dev, orders, '# theirs\n')),
    );
    const saved = await save(`${first}# mine\n`).catch(() => false);
    theirs.dispose();
    assert.equal(saved, false);
    assert.equal(document.isDirty, true);
    assert.equal(await desk.remote(dev, orders), '# theirs\n');
    await until(() => problems().length === 1);
    assert.match(problems()[0] ?? '', /^Not saved to “dev-.+”\. Someone changed model\/cubes\/orders\.yml on “dev-/);
    // As “Overwrite” in VS Code's own question does.
    await vscode.workspace.fs.writeFile(document.uri, new TextEncoder().encode(document.getText()));
    assert.equal(await desk.remote(dev, orders), `${first}# mine\n`);
    await until(() => problems().length === 0);
  });

  it('is deleted with a way back, alone or with its folder', async () => {
    // Read before Undo is pressed: on a slow machine the file would be there again afterwards.
    let beforeUndo: string | undefined = 'nobody looked';
    const undo = press('Undo', async () => void (beforeUndo = await desk.remote(dev, orders)));
    const restored = await desk.user.answering(async () => {
      await vscode.workspace.fs.delete(document.uri);
      await until(async () => (await desk.remote(dev, orders)) !== undefined);
    }, undo);
    assert.equal(beforeUndo, undefined);
    assert.match(restored, /^Deleted “orders\.yml” on “dev-.+”\. A copy is in the trash\.$/);
    assert.equal(await desk.remote(dev, orders), `${first}# mine\n`);

    beforeUndo = 'nobody looked';
    const said = await desk.user.answering(async () => {
      await vscode.workspace.fs.delete(onBranch('model/cubes'), { recursive: true });
      await until(async () => (await desk.remote(dev, orders)) !== undefined);
    }, undo);
    assert.equal(beforeUndo, undefined);
    assert.match(said, /^Deleted \d+ files on “dev-.+”\. Copies are in the trash\.$/);
  });

  it('moves with a folder that is renamed', async () => {
    const customers = await desk.remote(dev, 'model/cubes/customers.yml');
    await until(async () => (await desk.remote(dev, 'model/cubes/customers.yml')) !== undefined);
    await vscode.workspace.fs.rename(onBranch('model/cubes'), onBranch('model/shop'));
    assert.equal(await desk.remote(dev, 'model/cubes/customers.yml'), undefined);
    assert.notEqual(await desk.remote(dev, 'model/shop/customers.yml'), undefined);
    assert.ok(customers === undefined || (await desk.remote(dev, 'model/shop/customers.yml')) === customers);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('closes with its account, also where it is compared', async () => {
    const moved = onBranch('model/shop/customers.yml');
    await vscode.window.showTextDocument(moved, { preview: false });
    const [root] = vscode.workspace.workspaceFolders ?? [];
    const readme = vscode.Uri.joinPath(root?.uri ?? moved, 'README.md');
    await vscode.commands.executeCommand('vscode.diff', readme, moved, 'a diff', { preview: false });
    await desk.user.does('modelbench.branch.compare', { ...desk.on(dev), against: 'main' });
    const labels = (): readonly string[] =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
    await until(() => labels().some((label) => / files?\)$/.test(label)));
    assert.equal(labels().length, 3);
    await desk.leave();
    await until(() => labels().length === 0);
  });
});
