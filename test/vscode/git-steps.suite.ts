import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { finishUpload, startUpload, uploadFile } from '#api/upload.ts';
import { type Desk, sitDown } from './desk.ts';
import { tabNamed, untitledText } from './editors.ts';
import { pick, press, type } from './person.ts';
import { describe, it } from './runner.ts';

const orders = 'model/cubes/orders.yml';
const customers = 'model/cubes/customers.yml';

let desk: Desk | undefined;
let dev = '';
/** The dev branch that was worked on before. */
let left = '';

async function atDesk(): Promise<Desk> {
  desk ??= await sitDown('git/shop');
  return desk;
}

/** Both branches change the same line of a file. */
async function collide(own: Desk, path: string, title: string): Promise<void> {
  await own.change(path, (text) => text.replace(/title: .*/, `title: Mine ${title}`));
  assert.match((await own.remote(dev, path)) ?? '', new RegExp(`Mine ${title}`));
  const theirs = ((await own.remote('main', path)) ?? '').replace(/title: .*/, `title: Theirs ${title}`);
  await own.colleague('main', { [path]: theirs });
}

const file = ({ folder }: Desk, path: string): { folderId: string; path: string } => ({
  folderId: folder.toString(),
  path,
});

/** A pull that ends with the parent's version on the branch: what was settled cannot be put back. Answers that version. */
async function interruptPull(own: Desk, title: string): Promise<string> {
  const { person, platform } = own;
  await collide(own, customers, title);
  await person.does('modelbench.pull', undefined);
  await person.does('modelbench.conflict.mine', file(own, customers));
  await platform.faults([{ kind: 'status', status: 400, method: 'PUT', path: 'data-model/files$', skip: 1 }]);
  await person.does('modelbench.git.continue', undefined);
  const theirs = (await own.remote(dev, customers)) ?? '';
  assert.match(theirs, new RegExp(`Theirs ${title}`));
  return theirs;
}

/** Writes a file of a dev branch past the extension, with an upload: single files cannot be written just then. */
async function upload({ platform }: Desk, branchName: string, path: string, content: string): Promise<void> {
  const params = { deploymentId: '1' };
  const { transaction } = await platform.client.call(startUpload, { params, body: { branchName } });
  const bytes = new TextEncoder().encode(content);
  await platform.client.call(uploadFile, { params, body: { transaction, fileName: path, file: bytes } });
  const files = { [path]: { hash: createHash('sha1').update(bytes).digest('hex') } };
  const body = { transaction, files, autoRemoveFiles: false, branchName };
  await platform.client.call(finishUpload, { params, body });
}

describe('a commit, pull or merge that stops at conflicts', () => {
  it('leaves its files as conflicts, which are settled by hand and by choice, and goes on', async () => {
    const own = await atDesk();
    const { person } = own;
    dev = await own.startDevMode('main');
    await collide(own, orders, 'orders');
    await collide(own, customers, 'customers');
    const stopped = await person.does('modelbench.pull', undefined);
    assert.match(stopped, /Git conflict in 2 files, nothing was changed/);
    assert.match(await person.does('modelbench.git.continue', undefined), /2 files must be resolved before the/);

    await own.change(orders, (text) => text.replace('cubes:\n', 'cubes: # merged\n'));
    await person.does('modelbench.conflict.resolved', file(own, orders));
    await person.does('modelbench.conflict.theirs', file(own, customers));
    assert.match(await own.read(customers), /Theirs customers/);

    await person.does('modelbench.git.continue', undefined);
    assert.match((await own.remote(dev, orders)) ?? '', /# merged/);
    assert.match((await own.remote(dev, customers)) ?? '', /Theirs customers/);
    assert.match(await person.does('modelbench.git.continue', undefined), /no unfinished commit, pull or merge/);
    await person.does('modelbench.commit', undefined, type('Both'));
    assert.match((await own.remote('main', orders)) ?? '', /# merged/);
  });

  it('asks again for a file that the other branch changed after it was settled', async () => {
    const own = await atDesk();
    const { person } = own;
    await collide(own, customers, 'once');
    await person.does('modelbench.pull', undefined);
    await person.does('modelbench.conflict.mine', file(own, customers));
    const third = ((await own.remote('main', customers)) ?? '').replace(/title: .*/, 'title: A third');
    await own.colleague('main', { [customers]: third });
    assert.match(await person.does('modelbench.git.continue', undefined), /customers\.yml again/);
    await person.does('modelbench.conflict.mine', file(own, customers));
    await person.does('modelbench.git.continue', undefined);
    assert.match((await own.remote(dev, customers)) ?? '', /Mine once/);
    await person.does('modelbench.commit', undefined, type('Mine'));
  });

  it('puts back with the next look what could not be put back after the pull', async () => {
    const own = await atDesk();
    const { person, platform } = own;
    await interruptPull(own, 'cut short');
    await platform.faults([]);
    await person.does('modelbench.changes.refresh', undefined);
    await own.until(async () => /Mine cut short/.test((await own.remote(dev, customers)) ?? ''));
    assert.match(await own.read(customers), /Mine cut short/);
    await person.does('modelbench.git.continue', undefined);
    assert.match((await own.remote(dev, customers)) ?? '', /Mine cut short/);
    await person.does('modelbench.commit', undefined, type('Cut short'));
    assert.match((await own.remote('main', customers)) ?? '', /Mine cut short/);
  });

  it('asks whose version counts where a file changed before what was settled could be put back', async () => {
    const own = await atDesk();
    const { person, platform } = own;
    const theirs = await interruptPull(own, 'overtaken');
    const lookAgain = async (): Promise<void> => {
      await upload(own, dev, customers, `${theirs}# a third version\n`);
      await vscode.commands.executeCommand('modelbench.changes.refresh');
      await own.until(async () => /Mine overtaken/.test((await own.remote(dev, customers)) ?? ''));
    };
    // Nothing can be written before the question stands, so that it is asked whenever the folder is looked at.
    const compare = press('Compare', async () => platform.faults([]));
    const said = await person.answering(lookAgain, compare, press('Put Mine Back'));
    assert.match(said, /A pull was interrupted, and 1 file changed on “dev-[^”]+” .*customers\.yml\. Both versions/);
    assert.equal(await tabNamed(`${customers} (${dev} ↔ Local)`), `${customers} (${dev} ↔ Local)`);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.match(await own.read(customers), /Mine overtaken/);
    await person.does('modelbench.git.continue', undefined);
    await person.does('modelbench.commit', undefined, type('Overtaken'));
    assert.match((await own.remote('main', customers)) ?? '', /Mine overtaken/);
  });

  it('is given up with the files as they were, the one in a merge editor too', async () => {
    const own = await atDesk();
    const { person } = own;
    await collide(own, customers, 'twice');
    const before = await own.read(customers);
    await person.does('modelbench.pull', undefined);
    await person.does('modelbench.conflict.merge', file(own, customers));
    const labels = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
    assert.ok(labels.includes('Merging: customers.yml'), labels.join(', '));
    await person.does('modelbench.git.abort', undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.equal(await own.read(customers), before);
    assert.equal(await own.remote(dev, customers), before);
    assert.match(await person.does('modelbench.git.abort', undefined), /no unfinished commit, pull or merge/);
  });

  it('ends with its branch', async () => {
    const own = await atDesk();
    const { person } = own;
    assert.match(await person.does('modelbench.pull', undefined), /Git conflict/);
    left = dev;
    dev = await own.startDevMode('returns-model');
    assert.match(await person.does('modelbench.git.continue', undefined), /no unfinished commit, pull or merge/);
  });

  it('on the way to production from further down goes on by way of the parent', async () => {
    const own = await atDesk();
    const { person } = own;
    // What the folder held differs from the branch that it was switched to: the branch's is wanted here.
    await person.does('modelbench.changes.refresh', undefined);
    for (const path of [orders, customers]) await person.does('modelbench.conflict.theirs', file(own, path));
    await collide(own, orders, 'below');
    await person.does('modelbench.commit', undefined, type('Below'));
    const stopped = await person.does(
      'modelbench.mergeToDefault',
      undefined,
      press('Merge to Default'),
      pick('Keep the dev branch'),
      type('Below'),
    );
    assert.match(stopped, /Git conflict in 1 file/);
    await person.does('modelbench.conflict.mine', file(own, orders));
    const said = await person.does(
      'modelbench.git.continue',
      undefined,
      press('Merge'),
      type('Both'),
      press('Merge to Default'),
      pick('Keep the dev branch'),
      type('Below and above'),
    );
    assert.match(said, /through “returns-model”/);
    assert.match((await own.remote('main', orders)) ?? '', /Mine below/);
  });
});

describe('nothing is deleted that was not shown', () => {
  it('of files: a push lists what it prunes, and prunes what is ticked', async () => {
    const own = await atDesk();
    const { person } = own;
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(own.folder, customers));
    await person.does('modelbench.push', own.target);
    await person.does('modelbench.plan.dryRun', undefined);
    await untitledText(/delete.*model\/cubes\/customers\.yml/is);
    await person.does('modelbench.plan.toggle', { id: `plan/delete/${customers}` });
    assert.match(await person.does('modelbench.plan.apply', undefined), /Nothing is ticked/);
    assert.notEqual(await own.remote(dev, customers), undefined);
    await person.does('modelbench.plan.toggle', { id: `plan/delete/${customers}` });
    await person.does('modelbench.plan.apply', undefined);
    assert.equal(await own.remote(dev, customers), undefined);
  });

  it('of dev branches: the active one is not offered, a ticked one goes, and the window stays where it is', async () => {
    const own = await atDesk();
    const { person } = own;
    const old = [...(await own.heads()).keys()].filter((name) => name.startsWith('dev-') && name !== dev);
    assert.ok(old.includes(left), `${left} of ${old.join(', ')}`);
    const said = await person.does('modelbench.branch.prune', undefined, pick(left), press('Delete'));
    assert.match(said, /Delete 1 dev branch\?\n.*unmerged work is lost/s);
    const names = [...(await own.heads()).keys()];
    assert.deepEqual([names.includes(left), names.includes(dev)], [false, true]);
    await person.does('modelbench.push', own.target);
    await own.leave();
  });
});
