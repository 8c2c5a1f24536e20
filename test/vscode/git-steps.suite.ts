import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { finishUpload, startUpload, uploadFile } from '#api/resources/upload.ts';
import { type Desk, sitDown } from './desk.ts';
import type { HostToReview } from '#features/review/messages.ts';
import { tabNamed, untitledText } from './editors.ts';
import { type Answer, approve, pick, press } from './user.ts';
import { replacePages } from './pages.ts';
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

/** A commit to the deploy branch, on its page. */
const toProduction = (message: string): Answer => approve('Commit to main (production)', { message });

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

/** A pull that ends with the parent's version on the branch: what was resolved cannot be put back. Answers that version. */
async function interruptPull(own: Desk, title: string): Promise<string> {
  const { user, platform } = own;
  await collide(own, customers, title);
  await user.does('modelbench.pull', undefined);
  await user.does('modelbench.conflict.mine', file(own, customers));
  await platform.faults([{ kind: 'status', status: 400, method: 'PUT', path: 'data-model/files$', skip: 1 }]);
  await user.does('modelbench.git.continue', undefined);
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
  it('leaves its files as conflicts, which are resolved by hand and by choice, and continues', async () => {
    const own = await atDesk();
    const { user } = own;
    dev = await own.startDevMode('main');
    await collide(own, orders, 'orders');
    await collide(own, customers, 'customers');
    const stopped = await user.does('modelbench.pull', undefined);
    assert.match(stopped, /Git conflict in 2 files, nothing was changed/);
    assert.match(await user.does('modelbench.git.continue', undefined), /2 files must be resolved before the/);

    await own.change(orders, (text) => text.replace('cubes:\n', 'cubes: # merged\n'));
    await user.does('modelbench.conflict.resolved', file(own, orders));
    await user.does('modelbench.conflict.theirs', file(own, customers));
    assert.match(await own.read(customers), /Theirs customers/);

    await user.does('modelbench.git.continue', undefined);
    assert.match((await own.remote(dev, orders)) ?? '', /# merged/);
    assert.match((await own.remote(dev, customers)) ?? '', /Theirs customers/);
    assert.match(await user.does('modelbench.git.continue', undefined), /no unfinished commit, pull or merge/);
    await user.does('modelbench.commit', undefined, toProduction('Both'));
    assert.match((await own.remote('main', orders)) ?? '', /# merged/);
  });

  it('asks again for a file that the other branch changed after it was resolved', async () => {
    const own = await atDesk();
    const { user } = own;
    await collide(own, customers, 'once');
    await user.does('modelbench.pull', undefined);
    await user.does('modelbench.conflict.mine', file(own, customers));
    const third = ((await own.remote('main', customers)) ?? '').replace(/title: .*/, 'title: A third');
    await own.colleague('main', { [customers]: third });
    assert.match(await user.does('modelbench.git.continue', undefined), /customers\.yml again/);
    await user.does('modelbench.conflict.mine', file(own, customers));
    await user.does('modelbench.git.continue', undefined);
    assert.match((await own.remote(dev, customers)) ?? '', /Mine once/);
    await user.does('modelbench.commit', undefined, toProduction('Mine'));
  });

  it('puts back with the next look what could not be put back after the pull', async () => {
    const own = await atDesk();
    const { user, platform } = own;
    await interruptPull(own, 'cut short');
    await platform.faults([]);
    await user.does('modelbench.changes.refresh', undefined);
    await own.until(async () => /Mine cut short/.test((await own.remote(dev, customers)) ?? ''));
    assert.match(await own.read(customers), /Mine cut short/);
    await user.does('modelbench.git.continue', undefined);
    assert.match((await own.remote(dev, customers)) ?? '', /Mine cut short/);
    await user.does('modelbench.commit', undefined, toProduction('Cut short'));
    assert.match((await own.remote('main', customers)) ?? '', /Mine cut short/);
  });

  it('asks whose version counts where a file changed before what was resolved could be put back', async () => {
    const own = await atDesk();
    const { user, platform } = own;
    const theirs = await interruptPull(own, 'overtaken');
    const lookAgain = async (): Promise<void> => {
      await upload(own, dev, customers, `${theirs}# a third version\n`);
      await vscode.commands.executeCommand('modelbench.changes.refresh');
      await own.until(async () => /Mine overtaken/.test((await own.remote(dev, customers)) ?? ''));
    };
    // Nothing can be written before the question is there, so it is asked whenever the folder is compared.
    const compare = press('Compare', async () => platform.faults([]));
    const said = await user.answering(lookAgain, compare, press('Put My Version Back'));
    assert.match(said, /A pull was interrupted, and 1 file changed on “dev-[^”]+” .*customers\.yml\. Both versions/);
    assert.equal(await tabNamed(`${customers} (${dev} ↔ Local)`), `${customers} (${dev} ↔ Local)`);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.match(await own.read(customers), /Mine overtaken/);
    await user.does('modelbench.git.continue', undefined);
    await user.does('modelbench.commit', undefined, toProduction('Overtaken'));
    assert.match((await own.remote('main', customers)) ?? '', /Mine overtaken/);
  });

  it('is given up with the files as they were, the one in a merge editor too', async () => {
    const own = await atDesk();
    const { user } = own;
    await collide(own, customers, 'twice');
    const before = await own.read(customers);
    await user.does('modelbench.pull', undefined);
    await user.does('modelbench.conflict.merge', file(own, customers));
    await tabNamed('Merging: customers.yml');
    assert.doesNotMatch(await user.does('modelbench.git.abort', undefined), /customers\.yml/);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.equal(await own.read(customers), before);
    assert.equal(await own.remote(dev, customers), before);
    assert.match(await user.does('modelbench.git.abort', undefined), /no unfinished commit, pull or merge/);
  });

  it('ends with its branch', async () => {
    const own = await atDesk();
    const { user } = own;
    assert.match(await user.does('modelbench.pull', undefined), /Git conflict/);
    left = dev;
    dev = await own.startDevMode('returns-model');
    assert.match(await user.does('modelbench.git.continue', undefined), /no unfinished commit, pull or merge/);
  });

  it('continues through the parent on the way from a child branch to production', async () => {
    const own = await atDesk();
    const { user } = own;
    // What the folder held differs from the branch that it was switched to: the branch's is wanted here.
    await user.does('modelbench.changes.refresh', undefined);
    for (const path of [orders, customers]) await user.does('modelbench.conflict.theirs', file(own, path));
    await collide(own, orders, 'below');
    await user.does('modelbench.commit', undefined, approve('Commit to returns-model', { message: 'Below' }));
    const stopped = await user.does(
      'modelbench.mergeToDefault',
      undefined,
      approve('Merge into main (production)', { message: 'Below' }),
    );
    assert.match(stopped, /Git conflict in 1 file/);
    await user.does('modelbench.conflict.mine', file(own, orders));
    // What was chosen and typed for the merge is not asked for again.
    const said = await user.does(
      'modelbench.git.continue',
      undefined,
      // What the parent gets on the way is reviewed.
      approve('Commit to returns-model'),
      approve('Commit to returns-model', { message: 'Both' }),
      approve('Merge into main (production)'),
    );
    assert.match(said, /“returns-model” first gets these files of “dev-\S+”, then the changes of “main”/);
    assert.match((await own.remote('main', orders)) ?? '', /Mine below/);
  });
});

describe('nothing is deleted that was not shown', () => {
  it('lists the files that a push would delete, and deletes the ticked ones', async () => {
    const own = await atDesk();
    const { user } = own;
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(own.folder, customers));
    const page = replacePages<HostToReview>();
    const deletion = `Push 1 File to ${dev}`;
    try {
      await user.does('modelbench.push', own.target);
      await own.until(async () => {
        await page.send({ type: 'ready' });
        return page.title() !== '';
      });
      const { groups, version } = await page.heard('rows');
      assert.deepEqual(
        groups.flatMap(({ rows }) => rows.map(({ path, kind }) => [path, kind])),
        [[customers, 'delete']],
      );
      await user.does('modelbench.plan.dryRun', undefined);
      await untitledText(/delete.*model\/cubes\/customers\.yml/is);
      await page.send({ type: 'select', id: customers });
      await page.heard('detail', ({ lines }) => lines.some(({ kind, text }) => kind === 'removed' && text !== ''));
      await page.send({ type: 'tick', ids: [customers], isTicked: false });
      await page.heard('state', ({ action }) => action.whyNot === 'Tick at least one file.');
      assert.match(await user.does('modelbench.plan.apply', undefined), /Nothing is ticked/);
      assert.notEqual(await own.remote(dev, customers), undefined);
      await page.send({ type: 'tick', ids: [customers], isTicked: true });
      await page.heard('state', ({ action }) => action.label === deletion && action.whyNot === '');
      await user.answering(async () =>
        page.send({ type: 'apply', version, input: { message: '', options: [], typed: '' } }),
      );
      assert.equal(await own.remote(dev, customers), undefined);
      await own.until(async () => page.isClosed());
    } finally {
      page.restore();
    }
  });

  it('offers dev branches except the active one, deletes the ticked ones, and keeps the window’s branch', async () => {
    const own = await atDesk();
    const { user } = own;
    const old = [...(await own.heads()).keys()].filter((name) => name.startsWith('dev-') && name !== dev);
    assert.ok(old.includes(left), `${left} of ${old.join(', ')}`);
    const said = await user.does('modelbench.branch.prune', undefined, pick(left), press('Delete'));
    assert.match(said, /Delete 1 dev branch\?\n.*work is lost/s);
    const names = [...(await own.heads()).keys()];
    assert.deepEqual([names.includes(left), names.includes(dev)], [false, true]);
    await user.does('modelbench.push', own.target);
    await own.leave();
  });
});
