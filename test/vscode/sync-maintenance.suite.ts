import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { FileTarget } from '#shell/targets.ts';
import { type Desk, sitDown } from './desk.ts';
import { type Answer, approve, escape, press } from './user.ts';
import { describe, it } from './runner.ts';

const orders = 'model/cubes/orders.yml';
const fresh = 'model/cubes/fresh.yml';

let desk: Desk | undefined;
let dev = '';
/** The version that folder and branch have when a test begins. */
let agreed = '';

async function atDesk(): Promise<Desk> {
  if (desk) return desk;
  desk = await sitDown('maintenance/shop');
  dev = await desk.startDevMode('main');
  agreed = await desk.read(orders);
  return desk;
}

const at = ({ folder }: Desk, path: string): FileTarget => ({ folderId: folder.toString(), path });
const uriOf = ({ folder }: Desk, path: string): vscode.Uri => vscode.Uri.joinPath(folder, path);
/** What a command says. */
const does = async (own: Desk, command: string, ...answers: readonly Answer[]): Promise<string> =>
  (await own.user.does(command, own.target, ...answers)).trim();
const onFile = (own: Desk, command: string, path: string, ...answers: readonly Answer[]): Promise<string> =>
  own.user.does(command, at(own, path), ...answers);
const refresh = (own: Desk): Promise<string> => does(own, 'modelbench.changes.refresh');
const page = (): string => vscode.window.activeTextEditor?.document.getText() ?? '';

/** Whether a file is on the disk. */
async function isThere(own: Desk, path: string): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uriOf(own, path));
    return true;
  } catch {
    return false;
  }
}

/** Runs work while the platform cannot be reached, or answers every request with a 503. */
async function without(own: Desk, fault: object, work: () => Promise<string>): Promise<string> {
  await own.platform.faults([fault]);
  try {
    return await work();
  } finally {
    await own.platform.faults([]);
  }
}
const offline = { kind: 'reset' };
const unavailable = { kind: 'status', status: 503 };

/** Types into a document without saving it. */
async function typeInto(own: Desk, path: string, text: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uriOf(own, path));
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(edit);
  assert.equal(document.isDirty, true);
  return document;
}

/** Takes unsaved changes back, as *Revert File* does. */
async function revert(document: vscode.TextDocument): Promise<void> {
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('workbench.action.files.revert');
  assert.equal(document.isDirty, false);
}

describe('undoing the last push', () => {
  const undo = (own: Desk, ...answers: readonly Answer[]): Promise<string> =>
    does(own, 'modelbench.sync.undoPush', ...answers);
  const yes = approve('Undo Push of 1 File');

  it('says when there is none', async () => {
    assert.match(await undo(await atDesk()), /^There is no push to undo in the sync history of “shop”\.$/);
  });

  it('is reviewed on a page first, and changes nothing where that is closed', async () => {
    const own = await atDesk();
    await own.change(orders, (text) => `${text}# pushed\n`);
    const said = await undo(own, escape);
    assert.match(said, /^Undo last push of shop\n“dev-.+” gets its earlier versions back\. Your files here stay/);
    assert.equal(await own.remote(dev, orders), `${agreed}# pushed\n`);
  });

  it('changes nothing while the platform cannot be reached or is unavailable, and can be repeated', async () => {
    const own = await atDesk();
    assert.match(await without(own, offline, () => undo(own, yes)), /Check the connection and try again/);
    assert.match(await without(own, unavailable, () => undo(own, yes)), /503.*Try again later/);
    assert.equal(await own.remote(dev, orders), `${agreed}# pushed\n`);
  });

  it('is refused where a colleague changed the file since, and names it', async () => {
    const own = await atDesk();
    await own.putRemote(dev, orders, '# theirs\n');
    assert.match(
      await undo(own, yes),
      /Nothing was undone\. model\/cubes\/orders\.yml: changed on the platform since\.$/,
    );
    assert.equal(await own.remote(dev, orders), '# theirs\n');
    await own.putRemote(dev, orders, `${agreed}# pushed\n`);
  });

  it('gives the branch its version back; the file here stays as a local change, once', async () => {
    const own = await atDesk();
    await undo(own, yes);
    assert.equal(await own.remote(dev, orders), agreed);
    assert.equal(await own.read(orders), `${agreed}# pushed\n`);
    assert.match(await undo(own), /no push to undo/);
    await does(own, 'modelbench.sync.history');
    await own.until(() => Promise.resolve(/Undo {2}\(dev-[^)]+, this window\)\n {2}Reverted 1 file/.test(page())));
  });
});

describe('discarding a local change', () => {
  const discard = (own: Desk, ...answers: readonly Answer[]): Promise<string> =>
    onFile(own, 'modelbench.changes.discard', orders, ...answers);
  const yes = press('Discard Change');
  const mine = (): string => `${agreed}# pushed\n`;

  it('asks first, and changes nothing without an answer', async () => {
    const own = await atDesk();
    assert.match(await discard(own), /^Discard your change of “orders\.yml”\?\nThe file becomes the same as on “dev-/);
    assert.equal(await own.read(orders), mine());
  });

  it('leaves a file alone that is changed while the question is open', async () => {
    const own = await atDesk();
    const later = `${mine()}# meanwhile\n`;
    const said = await discard(
      own,
      press('Discard Change', async () => own.write(orders, later)),
    );
    assert.match(said, /1 file changed meanwhile and was left alone/);
    assert.equal(await own.read(orders), later);
    await own.write(orders, mine());
  });

  it('leaves unsaved edits alone', async () => {
    const own = await atDesk();
    const document = await typeInto(own, orders, '# typing\n');
    assert.match(await discard(own), /“orders\.yml” has unsaved changes in an editor\. Save or revert them/);
    assert.equal(document.getText(), `# typing\n${mine()}`);
    assert.equal(await own.read(orders), mine());
    await revert(document);
  });

  it('works without a connection, and the version can be restored from its message', async () => {
    const own = await atDesk();
    await refresh(own);
    const said = await without(own, offline, () => discard(own, yes, press('Restore')));
    assert.match(said, /Discarded 1 file\. Your version is in the trash\.$/);
    await own.until(async () => (await own.read(orders)) === mine());
    await refresh(own);
    await discard(own, yes);
    assert.equal(await own.read(orders), agreed);
  });

  it('deletes a new file here and keeps it in the trash', async () => {
    const own = await atDesk();
    await own.write(fresh, '# new\n');
    const discardIt = (...answers: readonly Answer[]): Promise<string> =>
      onFile(own, 'modelbench.changes.discard', fresh, ...answers);
    assert.match(await discardIt(), /“dev-.+” does not have this file, so it is deleted here/);
    assert.match(await discardIt(yes, press('Restore')), /in the trash/);
    await own.until(async () => isThere(own, fresh));
    assert.equal(await own.read(fresh), '# new\n');
    // The file is back before the step has ended.
    await own.until(async () => /does not have this file/.test(await discardIt()));
    await discardIt(yes);
    assert.equal(await isThere(own, fresh), false);
  });

  it('says when a file has no local change', async () => {
    const own = await atDesk();
    assert.match(await discard(own), /^“orders\.yml” has no local change to discard\.$/);
  });
});

describe('undoing the last pull', () => {
  const undo = (own: Desk, ...answers: readonly Answer[]): Promise<string> =>
    does(own, 'modelbench.sync.undoPull', ...answers);
  const yes = approve('Undo Pull of 1 File');
  // No editor has this file open: it is read when the test types into it.
  const path = 'model/cubes/customers.yml';
  const theirs = '# theirs\n';
  let before = '';

  it('is refused, with nothing touched, where a file has unsaved edits or was changed since', async () => {
    const own = await atDesk();
    before = await own.read(path);
    await own.putRemote(dev, path, theirs);
    await does(own, 'modelbench.pullFiles');
    assert.equal(await own.read(path), theirs);
    const document = await typeInto(own, path, '# typing\n');
    assert.match(
      await undo(own, yes),
      /Nothing was undone\. model\/cubes\/customers\.yml: it has unsaved changes in an editor\.$/,
    );
    assert.equal(document.getText(), `# typing\n${theirs}`);
    await revert(document);
    await own.write(path, '# mine\n');
    assert.match(await undo(own, yes), /Nothing was undone\. model\/cubes\/customers\.yml: changed here since\.$/);
    assert.equal(await own.read(path), '# mine\n');
    await own.write(path, theirs);
  });

  it('gives the folder its version back, also without a connection; the pulled one is in the trash', async () => {
    const own = await atDesk();
    await without(own, offline, () => undo(own, yes));
    assert.equal(await own.read(path), before);
    assert.equal(await own.remote(dev, path), theirs);
    await refresh(own);
    await does(own, 'modelbench.sync.history');
    await own.until(() => Promise.resolve(/Undo [^]*1 earlier version in the trash/.test(page())));
    await own.putRemote(dev, path, before);
    await refresh(own);
  });
});

describe('the pages about sync', () => {
  it('say what was synced, newest first, and need no connection', async () => {
    const own = await atDesk();
    assert.equal(await without(own, offline, () => does(own, 'modelbench.sync.history')), '');
    await own.until(() =>
      Promise.resolve(/^.+ {2}Undo [^]+ {2}Pull [^]+ {2}Local changes discarded [^]+ {2}Push /.test(page())),
    );
  });

  it('say that verifying failed instead of showing an older result', async () => {
    const own = await atDesk();
    assert.match(await without(own, unavailable, () => does(own, 'modelbench.sync.verify')), /503/);
    assert.doesNotMatch(vscode.window.activeTextEditor?.document.uri.path ?? '', /Verification/);
    assert.equal(await does(own, 'modelbench.sync.verify'), '');
    assert.match(vscode.window.activeTextEditor?.document.uri.path ?? '', /Verification/);
    await own.until(() => Promise.resolve(/\S/.test(page())));
  });

  it('explain any file: in sync, changed, without a connection, and outside of the model', async () => {
    const own = await atDesk();
    const explained = async (path: string): Promise<string> => {
      assert.equal(await onFile(own, 'modelbench.sync.explain', path), '');
      return page();
    };
    assert.match(await explained(orders), /In sync: the file is the same here and on the platform/);
    await own.write(fresh, '# new\n');
    await refresh(own);
    assert.match(await explained(fresh), /To be uploaded: the file is new here/);
    assert.match(await without(own, offline, () => explained(fresh)), /To be uploaded/);
    assert.match(await explained('modelbench.json'), /Not synced: only files in the folder “model” are synced/);
    await vscode.workspace.fs.delete(uriOf(own, fresh));
    await refresh(own);
  });
});

describe('pausing sync', () => {
  it('holds saved files back until it is resumed', async () => {
    const own = await atDesk();
    const path = 'model/cubes/products.yml';
    const before = await own.read(path);
    await does(own, 'modelbench.sync.pause');
    await own.edit(path, (text) => `${text}# paused\n`);
    await refresh(own);
    assert.equal(await own.remote(dev, path), before);
    await onFile(own, 'modelbench.sync.explain', path);
    await own.until(() => Promise.resolve(/Held back: Sync is paused\. Resume it/.test(page())));
    await does(own, 'modelbench.sync.resume');
    await own.until(async () => (await own.remote(dev, path)) === `${before}# paused\n`);
  });

  it('ends with the sign-out', async () => (await atDesk()).leave());
});
