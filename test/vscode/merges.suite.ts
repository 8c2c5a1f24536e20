import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { formatBytes } from '#base/words.ts';
import { openCurrent, replaceText, saveText } from '#shell/vscode/merge-editor.ts';
import { type Desk, sitDown } from './desk.ts';
import { openTrash } from './trash-box.ts';
import { press } from './user.ts';
import { describe, it } from './runner.ts';

const path = 'model/cubes/orders.yml';
const [oursIn, theirsIn] = ['# changed here\n', '# changed there\n'];

let desk: Desk | undefined;
let dev = '';
/** The version that both sides changed. */
let agreed = '';

async function atDesk(): Promise<Desk> {
  if (desk) return desk;
  desk = await sitDown('merges/shop');
  dev = await desk.startDevMode('main');
  agreed = await desk.read(path);
  return desk;
}

const refresh = (own: Desk): Promise<string> => own.user.does('modelbench.changes.refresh', own.target);
const file = ({ folder }: Desk) => ({ folderId: folder.toString(), path });

/** Whether VS Code shows a merge editor. */
const isMerging = (): boolean =>
  vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label.startsWith('Merging: ')));

/** Changes the first line on both sides and opens the merge editor; the last line changes on the platform only. */
async function beginMerge(own: Desk): Promise<void> {
  await own.putRemote(dev, path, `${theirsIn}${agreed}# their last line\n`);
  // What an editor has open already changes on the disk, as another program changes it.
  await vscode.workspace.openTextDocument(vscode.Uri.joinPath(own.folder, path));
  writeFileSync(vscode.Uri.joinPath(own.folder, path).fsPath, `${oursIn}${agreed}`);
  await refresh(own);
  await own.user.does('modelbench.conflict.merge', file(own));
  await own.until(async () => isMerging());
}

/** Takes the local side of every conflict, and completes the merge as VS Code's button does. */
async function complete(own: Desk, mine = oursIn): Promise<void> {
  const result = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(own.folder, path));
  // The editor is there before its panes are.
  await own.until(async () => vscode.window.visibleTextEditors.some(({ document }) => document === result));
  await own.until(async () => {
    await vscode.commands.executeCommand('merge.acceptAllInput2');
    return result.getText().startsWith(mine);
  });
  await vscode.commands.executeCommand('mergeEditor.acceptMerge');
  await own.until(async () => !isMerging());
}

describe('a conflict in the merge editor', () => {
  it('is finished there: the merged file goes to the platform once it is marked as resolved', async () => {
    const own = await atDesk();
    await beginMerge(own);
    const merged = `${oursIn}${agreed}# their last line\n`;
    const said = await own.user.answering(async () => {
      await complete(own);
      await own.until(async () => (await own.remote(dev, path)) === merged);
    }, press('Mark as Resolved'));
    assert.match(said, /Is the merge of “orders\.yml” finished\?/);
    assert.equal(await own.read(path), merged);
    await refresh(own);
    await own.user.does('modelbench.sync.explain', file(own));
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /In sync: the file is the same here/);
  });

  it('leaves the local version in the trash, with what is typed and not saved', async () => {
    const own = await atDesk();
    const agreedNow = await own.read(path);
    const typed = agreedNow.replace(oursIn, `# typed${' and not saved'.repeat(100)}\n`);
    const uri = vscode.Uri.joinPath(own.folder, path);
    await own.putRemote(dev, path, `${theirsIn}${agreed}`);
    writeFileSync(uri.fsPath, agreedNow.replace(oursIn, '# saved\n'));
    await refresh(own);
    await replaceText(await openCurrent(uri), typed);
    await own.user.does('modelbench.conflict.merge', file(own));
    await own.until(async () => isMerging());
    const [row] = await openTrash(file(own), (box) => box.does('hide'));
    const size = formatBytes(Buffer.byteLength(typed));
    assert.equal(row?.detail?.replace(/^.*? · /, ''), `replaced when a merge began · ${size}`);
    await own.user.answering(async () => {
      await complete(own, '# typed');
      await own.until(async () => (await own.remote(dev, path))?.startsWith('# typed') ?? false);
    }, press('Mark as Resolved'));
  });

  it('begins with what the file holds on the disk, and with what is typed in its editor', async () => {
    const own = await atDesk();
    const uri = vscode.Uri.joinPath(own.folder, 'current.yml');
    writeFileSync(uri.fsPath, 'cubes: [] # read\n');
    const document = await vscode.workspace.openTextDocument(uri);
    writeFileSync(uri.fsPath, 'cubes: [] # written since\n');
    assert.equal((await openCurrent(uri)).getText(), 'cubes: [] # written since\n');
    await replaceText(document, 'cubes: [] # typed\n');
    assert.equal((await openCurrent(uri)).getText(), 'cubes: [] # typed\n');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.workspace.fs.delete(uri);
  });

  it('is undone in the file too where another window has written it and VS Code has not noticed yet', async () => {
    const own = await atDesk();
    const uri = vscode.Uri.joinPath(own.folder, 'undone.yml');
    const [mine, start] = ['cubes: [] # mine\n', 'cubes: []\n'];
    writeFileSync(uri.fsPath, start);
    const document = await vscode.workspace.openTextDocument(uri);
    // The same text, but newer than what was read.
    writeFileSync(uri.fsPath, start);
    await saveText(document, mine);
    assert.deepEqual([await own.read('undone.yml'), document.getText(), document.isDirty], [mine, mine, false]);
    // The same with a byte order mark, which the document does not show.
    writeFileSync(uri.fsPath, `\uFEFF${mine}`);
    await saveText(document, start);
    assert.equal(readFileSync(uri.fsPath, 'utf8'), `\uFEFF${start}`);
    writeFileSync(uri.fsPath, '# theirs\n');
    // VS Code may have read the file by then.
    await assert.rejects(saveText(document, mine), /“undone\.yml” (was changed outside this window|changed just now)/);
    assert.equal(await own.read('undone.yml'), '# theirs\n');
    // VS Code may have read the file before it replaced the text.
    assert.ok([mine, '# theirs\n'].includes(document.getText()), document.getText());
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.workspace.fs.delete(uri);
  });

  it('is undone though its editor changes the file just then, and does not begin while a text is typed', async () => {
    const own = await atDesk();
    const uri = vscode.Uri.joinPath(own.folder, 'typed.yml');
    await own.write('typed.yml', 'cubes: []\n');
    const document = await vscode.workspace.openTextDocument(uri);
    /** Changes the document while the next edit is on its way. */
    const edited = async (change: string): Promise<boolean> => {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(uri, new vscode.Position(0, 0), change);
      return vscode.workspace.applyEdit(edit);
    };
    const typed = edited('# typed\n');
    await saveText(document, 'cubes: [] # mine\n');
    await typed;
    assert.deepEqual([await own.read('typed.yml'), document.isDirty], ['cubes: [] # mine\n', false]);
    // The same where the file is newer than what VS Code read: the text on the disk is then one that the document no longer has.
    writeFileSync(uri.fsPath, 'cubes: [] # mine\n');
    const merged = edited('# merged\n');
    await saveText(document, 'cubes: [] # undone\n');
    await merged;
    assert.deepEqual([await own.read('typed.yml'), document.isDirty], ['cubes: [] # undone\n', false]);
    const next = edited('# typed again\n');
    await assert.rejects(replaceText(document, 'cubes: [] # start\n'), /“typed\.yml” changed just now/);
    await next;
    assert.equal(document.getText(), '# typed again\ncubes: [] # undone\n');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.workspace.fs.delete(uri);
  });

  it('is undone while VS Code saves the file for another reason, which makes it drop other saves', async () => {
    const own = await atDesk();
    const uri = vscode.Uri.joinPath(own.folder, 'saved-twice.yml');
    await own.write('saved-twice.yml', 'cubes: []\n');
    const document = await vscode.workspace.openTextDocument(uri);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), '# merged\n');
    await vscode.workspace.applyEdit(edit);
    const begun = Promise.withResolvers<void>();
    const prepared = Promise.withResolvers<undefined>();
    const listening = vscode.workspace.onWillSaveTextDocument((save) => {
      if (save.document !== document) return;
      begun.resolve();
      save.waitUntil(prepared.promise);
    });
    const other = document.save();
    await begun.promise;
    assert.equal(await document.save(), false);
    const undone = saveText(document, 'cubes: [] # mine\n');
    await own.until(async () => document.getText() === 'cubes: [] # mine\n');
    prepared.resolve(undefined);
    await Promise.all([other, undone]);
    listening.dispose();
    assert.deepEqual([await own.read('saved-twice.yml'), document.isDirty], ['cubes: [] # mine\n', false]);
    await vscode.workspace.fs.delete(uri);
  });

  it('has an open conflict wherever two versions without a common one differ, and gives each of them back', async () => {
    const own = await atDesk();
    const [mine, theirs] = [
      '# top\n# mine\n# middle\n# only here\ncubes: []\n',
      '# top\n# theirs\n# middle\ncubes: []\n# only there\n',
    ];
    for (const [name, command, version] of [
      ['model/cubes/theirs.yml', 'merge.acceptAllInput1', theirs],
      ['model/cubes/mine.yml', 'merge.acceptAllInput2', mine],
    ] as const) {
      await own.putRemote(dev, name, theirs);
      await own.write(name, mine);
      await refresh(own);
      await own.user.does('modelbench.conflict.merge', { ...file(own), path: name });
      await own.until(async () => isMerging());
      const result = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(own.folder, name));
      const marker = '<<<<<<< Choose a version of these lines\n';
      assert.equal(result.getText(), `# top\n${marker}# middle\n${marker}cubes: []\n${marker}`);
      await own.until(async () => {
        await vscode.commands.executeCommand(command);
        return result.getText() === version;
      });
      // With a line more, so that it is a third version, about which the user is asked.
      const finished = `${version}# checked\n`;
      await replaceText(result, finished);
      await own.user.answering(async () => {
        await vscode.commands.executeCommand('mergeEditor.acceptMerge');
        await own.until(async () => (await own.remote(dev, name)) === finished);
      }, press('Mark as Resolved'));
      await own.until(async () => !isMerging());
      assert.equal(await own.read(name), finished);
    }
  });

  it('ends with the sign-out', async () => (await atDesk()).leave());
});
