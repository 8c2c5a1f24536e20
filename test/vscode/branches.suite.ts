import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createBranch, deleteBranch, listBranches } from '#api/resources/branches.ts';
import { deleteDataModelFiles, writeDataModelFiles } from '#api/resources/data-model.ts';
import { type Desk, sitDown } from './desk.ts';
import { untitledText } from './editors.ts';
import { type Answer, approve, escape, pick, press, type } from './user.ts';
import { describe, it } from './runner.ts';
import { problems, problemsThat } from './problems.ts';
import { openTrash } from './trash-box.ts';

const orders = 'model/cubes/orders.yml';

const faulty = (text: string): string => text.replace('type: string', 'type: strng');

let desk: Desk | undefined;
let dev = '';

async function atDesk(): Promise<Desk> {
  desk ??= await sitDown('projects/shop');
  return desk;
}

const deployment = { deploymentId: '1' };

const remote = async (own: Desk, branchName: string, path = orders): Promise<string | undefined> =>
  own.remote(branchName, path);

const until = async (isSo: () => Promise<boolean>): Promise<void> => (await atDesk()).until(isSo);

const edit = async (own: Desk, change: (text: string) => string): Promise<void> => own.edit(orders, change);

/** What the status bar said for a moment while something was done. */
async function statusBarDuring(work: () => Promise<unknown>): Promise<string> {
  const said: string[] = [];
  const { setStatusBarMessage } = vscode.window;
  const listening = (text: string): vscode.Disposable => {
    said.push(text);
    return setStatusBarMessage(text, 1);
  };
  Object.assign(vscode.window, { setStatusBarMessage: listening });
  try {
    await work();
  } finally {
    Object.assign(vscode.window, { setStatusBarMessage });
  }
  return said.join('\n');
}

describe('branches and changes', () => {
  it('start with dev mode on a branch; the first pull brings its files into a linked sub-folder', async () => {
    const own = await atDesk();
    dev = await own.startDevMode('main');
    assert.match(dev, /^dev-/);
    const { folder } = own;
    const here = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, orders));
    assert.equal(new TextDecoder().decode(here), await remote(await atDesk(), dev));
  });

  it('send what is saved, and commit it to the parent with a message', async () => {
    const own = await atDesk();
    await edit(own, (text) => `${text}# saved in a suite\n`);
    await until(async () => (await remote(own, dev))?.endsWith('# saved in a suite\n') === true);
    const answers = [approve('Commit to main (production)', { message: ' ' }), escape];
    await own.user.does('modelbench.commit', undefined, ...answers);
    assert.doesNotMatch((await remote(own, 'main')) ?? '', /# saved in a suite/);
    const again = approve('Commit to main (production)', { message: 'From a suite' });
    const asked = await own.user.does('modelbench.commit', undefined, again);
    assert.match(asked, /^Commit to main \(production\)\n[^]*Build: [^]*Impact: No name that queries can use is lost/);
    assert.match((await remote(own, 'main')) ?? '', /# saved in a suite\n$/);
    const now = await own.heads();
    assert.equal(now.get(dev), now.get('main'));
  });

  // @shows build-errors, stale-build-errors
  it('mark what a build refuses; an edit makes it information, Undo restores it', async () => {
    const own = await atDesk();
    const uri = vscode.Uri.joinPath(own.folder, orders);
    const before = await own.read(orders);
    const settings = vscode.workspace.getConfiguration('modelbench');
    await settings.update(
      'language.severity',
      { 'bad-value': 'off', engine: 'off' },
      vscode.ConfigurationTarget.Global,
    );
    await own.edit(orders, faulty);
    const [found] = await built(uri, (all) => all.some(isError));
    assert.ok(found);
    assert.equal(found.source, `Modelbench build of ${dev}`);
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

    // Our own checks report the same mistake, which the build then does not repeat.
    await settings.update('language.severity', undefined, vscode.ConfigurationTarget.Global);
    await built(uri, (all) => all.length === 0);
    assert.match(problems(), /`strng` is not allowed here/);
    await own.edit(orders, () => before);
    await built(uri, (all) => all.length === 0);
  });

  // @shows workspace-uses
  it('name what production’s branch has and this one no more, with the dashboards that use it', async () => {
    const own = await atDesk();
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

  it('ask for the name of a protected branch, exactly, before anything reaches it', async () => {
    const own = await atDesk();
    const settings = vscode.workspace.getConfiguration('modelbench');
    await settings.update('protected.branches', ['main'], vscode.ConfigurationTarget.Global);
    try {
      await edit(own, (text) => `${text}# protected\n`);
      await until(async () => (await remote(own, dev))?.endsWith('# protected\n') === true);
      await own.user.does('modelbench.commit', undefined, escape);
      assert.doesNotMatch((await remote(own, 'main')) ?? '', /# protected/);
      const commit = (typed: string): Answer => approve('Commit to main (production)', { message: 'Yes', typed });
      const said = await own.user.does('modelbench.commit', undefined, commit('Main'), commit('main'));
      assert.match(said, /“main” is protected\.[^]*Type “main” to confirm/);
      assert.match((await remote(own, 'main')) ?? '', /# protected\n$/);
    } finally {
      await settings.update('protected.branches', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('show a plan of several changes and send only what is ticked', async () => {
    const own = await atDesk();
    const { platform, user, folder } = own;
    const body = { branchName: dev, files: [{ path: 'model/views/theirs.yml', content: 'views: []\n' }] };
    await platform.client.call(writeDataModelFiles, { params: deployment, body });
    for (const name of ['one', 'two']) {
      const uri = vscode.Uri.joinPath(folder, `model/cubes/${name}.yml`);
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('cubes: []\n'));
    }
    await user.does('modelbench.push', undefined);
    await user.does('modelbench.plan.dryRun', undefined);
    await untitledText(/^To the platform[^]*model\/cubes\/one\.yml/);
    await user.does('modelbench.plan.dryRunJson', undefined);
    const json = JSON.parse(await untitledText(/^\{/)) as {
      readonly entries: readonly object[];
    };
    assert.ok(json.entries.some((entry) => 'path' in entry && entry.path === 'model/cubes/two.yml'));
    const settings = vscode.workspace.getConfiguration('modelbench');
    await settings.update('protected.deployments', ['1'], vscode.ConfigurationTarget.Global);
    await user.does('modelbench.plan.apply', undefined, escape);
    assert.equal(await remote(own, dev, 'model/cubes/two.yml'), undefined);
    await user.does('modelbench.plan.apply', undefined, type(dev));
    await settings.update('protected.deployments', undefined, vscode.ConfigurationTarget.Global);
    assert.equal(await remote(own, dev, 'model/cubes/two.yml'), 'cubes: []\n');
    assert.equal(await remote(own, dev, 'model/views/theirs.yml'), 'views: []\n');
    await user.does('modelbench.pullFiles', undefined);
    const theirs = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, 'model/views/theirs.yml'));
    assert.equal(new TextDecoder().decode(theirs), 'views: []\n');
  });

  it('ask which line endings both sides are to have, where nothing else differs', async () => {
    const own = await atDesk();
    const { platform, user, folder } = own;
    const path = 'model/views/theirs.yml';
    const uri = vscode.Uri.joinPath(folder, path);
    const body = { branchName: dev, files: [{ path, content: 'views: []\r\n# more\r\n' }] };
    await platform.client.call(writeDataModelFiles, { params: deployment, body });
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('views: []\n# more\n'));
    await user.does('modelbench.changes.refresh', undefined);
    const file = { folderId: folder.toString(), path };
    const said = await user.does('modelbench.conflict.merge', file, press('Use Platform’s Line Endings'));
    assert.match(said, /differs only in its line endings/);
    assert.equal(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)), 'views: []\r\n# more\r\n');
  });

  it('give back from the trash what a pull deleted, compared before, and what that replaced', async () => {
    const { platform, user, folder } = await atDesk();
    const path = 'model/views/theirs.yml';
    const uri = vscode.Uri.joinPath(folder, path);
    const file = { folderId: folder.toString(), path };
    const text = async (): Promise<string> =>
      vscode.workspace.fs.readFile(uri).then(
        (bytes) => new TextDecoder().decode(bytes),
        () => '',
      );
    const before = await text();
    assert.notEqual(before, '');

    const body = { branchName: dev, files: [{ path }] };
    await platform.client.call(deleteDataModelFiles, { params: deployment, body });
    await user.does('modelbench.pullFiles', undefined);
    const said = await user.does('modelbench.plan.apply', undefined, press('Restore'));
    assert.match(said, /Pulled 1 file\. 1 earlier version is in the trash\./);
    await until(async () => (await text()) === before);

    const opened = await openTrash(file, (box) => {
      box.does('itemButton', { item: box.items[0] });
      box.does('hide');
    });
    assert.match(opened[0]?.detail ?? '', /deleted on the platform · \d+ B$/);
    const tabs = (): readonly vscode.Tab[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const isCompared = ({ label }: vscode.Tab): boolean => label.startsWith('theirs.yml (Now ↔ Trash');
    await until(async () => tabs().some(isCompared));
    assert.equal(await text(), before);
    await vscode.window.tabGroups.close(tabs().filter(isCompared));

    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('# mine\n'));
    await openTrash(file, (box) => box.does('accept'));
    assert.equal(await text(), before);
    const rows = await openTrash(file, (box) => {
      box.selectedItems = box.items.slice(0, 1);
      box.does('accept');
    });
    assert.match(rows[0]?.detail ?? '', /replaced by a restored version · 7 B$/);
    assert.equal(await text(), '# mine\n');
    await vscode.workspace.fs.delete(uri);
  });

  it('explain every refusal before the platform is asked', async () => {
    const { user, on } = await atDesk();
    assert.match(await user.does('modelbench.staging.enable', on('main')), /deploy branch/);
    assert.match(await user.does('modelbench.staging.enable', on(dev)), /personal dev branch/);
    assert.match(await user.does('modelbench.devMode.switch', on('main')), /not a dev branch/);
    assert.match(await user.does('modelbench.deploy', undefined), /not deployed by uploads/);
    const name = ['dev-mine', 'a b', 'main', 'feature/suite'].map(type);
    const said = await user.does('modelbench.branch.create', on('main'), ...name, pick('Create Branch'));
    for (const words of [/personal dev branches/, /letters, digits/, /already/]) assert.match(said, words);
    assert.ok((await (await atDesk()).heads()).has('feature/suite'));
  });

  it('are validated by the platform', async () => {
    const { user, on } = await atDesk();
    // A valid model is reported in the status bar, without a message.
    assert.equal(await user.does('modelbench.branch.validate', on('feature/suite')), '');
  });

  it('switch the staging environment of a shared branch on and off', async () => {
    const { user, on, platform } = await atDesk();
    const isOn = async (): Promise<boolean | null | undefined> => {
      const { data } = await platform.client.call(listBranches, { params: deployment });
      return data.find(({ name }) => name === 'feature/suite')?.isStagingEnvironmentEnabled;
    };
    // A name with a slash is one name, in documents too.
    await user.does('modelbench.branch.openFile', on('feature/suite'), pick('orders.yml'));
    assert.match(vscode.window.activeTextEditor?.document.uri.path ?? '', /^\/feature%2Fsuite\/model\//);
    await user.does('modelbench.staging.enable', on('feature/suite'), press('Enable Staging Environment'));
    assert.equal(await isOn(), true);
    await user.does('modelbench.staging.disable', on('feature/suite'), press('Disable Staging Environment'));
    assert.equal(await isOn(), false);
    const said = await user.does('modelbench.branch.delete', on('feature/suite'), press('Delete feature/suite'));
    assert.match(said, /No work is lost: its files are the same as on/);
    assert.equal((await (await atDesk()).heads()).has('feature/suite'), false);
  });

  it('open, search and compare a branch without a local copy, which cannot be written to', async () => {
    const { user, on } = await atDesk();
    await user.does('modelbench.branch.openFile', on('returns-model'), pick('orders.yml'));
    const shown = vscode.window.activeTextEditor?.document;
    assert.equal(shown?.uri.scheme, 'modelbench');
    assert.equal(vscode.workspace.fs.isWritableFileSystem('modelbench'), true);
    const { permissions } = await vscode.workspace.fs.stat(shown.uri);
    assert.equal(permissions, vscode.FilePermission.Readonly);
    await assert.rejects(Promise.resolve(vscode.workspace.fs.writeFile(shown.uri, new Uint8Array())));
    await user.does('modelbench.branch.compare', on('returns-model'), pick('main'));
  });

  it('hold a call whose key is refused until the user has given another', async () => {
    const own = await atDesk();
    const { platform, user, on } = own;
    await platform.faults([{ kind: 'status', status: 401, path: '/branches$', method: 'POST', times: 1 }]);
    const url = type(platform.url);
    const names = [type('feature/held'), pick('Create Branch'), press('Sign In'), url, type(platform.apiKey)];
    await user.does('modelbench.branch.create', on('main'), ...names);
    await platform.faults([]);
    assert.ok((await own.heads()).has('feature/held'));
    await platform.client.call(deleteBranch, { params: deployment, query: { branchName: 'feature/held' } });
  });

  it('switch under an unsaved editor: its text stays, reaches neither branch, and a message says so', async () => {
    const own = await atDesk();
    const { user, folder } = own;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, orders));
    const saved = document.getText();
    const typed = `${saved}# typed, not saved\n`;
    const editing = new vscode.WorkspaceEdit();
    editing.insert(document.uri, document.lineAt(document.lineCount - 1).range.end, '# typed, not saved\n');
    await vscode.workspace.applyEdit(editing);
    const before = await own.heads();
    const told = await statusBarDuring(async () => user.does('modelbench.devMode.start', own.on('returns-model')));
    const [other = ''] = [...(await own.heads()).keys()].filter((name) => !before.has(name));
    assert.match(told, new RegExp(`Dev mode is on: “${other}”.*1 not saved`));
    assert.deepEqual([document.isDirty, document.getText()], [true, typed]);
    assert.equal(await own.read(orders), saved);
    for (const branch of [dev, other]) assert.doesNotMatch((await remote(own, branch)) ?? '', /typed, not saved/);

    // Saved after the switch back, it goes to the branch that is active then, and to no other.
    await user.does('modelbench.devMode.switch', own.on(dev));
    assert.equal(await document.save(), true);
    await until(async () => (await remote(own, dev)) === typed);
    assert.doesNotMatch((await remote(own, other)) ?? '', /typed, not saved/);
  });

  it('show what reaches production first, and ask for the deployment’s name after a failed build', async () => {
    const own = await atDesk();
    const { user, folder, on } = own;
    const before = await own.heads();
    await user.does('modelbench.devMode.start', on('pricing-experiments'));
    const [made] = [...(await own.heads()).keys()].filter((name) => !before.has(name));
    dev = made ?? '';
    const cube = 'cubes:\n  - name: extra\n    sql: SELECT 1 AS id\n';
    const renamed = ((await remote(own, 'main')) ?? '').replace('name: cancellation_rate', 'name: cancelled_rate');
    const view =
      'views:\n  - name: rates\n    cubes:\n      - join_path: orders\n        includes: [cancellation_rate]\n';
    const files = [
      { path: orders, content: renamed },
      { path: 'model/views/rates.yml', content: view },
    ];
    const body = { branchName: dev, files };
    await own.platform.client.call(writeDataModelFiles, { params: deployment, body });
    const uri = vscode.Uri.joinPath(folder, 'model/cubes/extra.yml');
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(cube));
    await until(async () => (await user.does('modelbench.push', undefined)) === '');
    await user.does('modelbench.plan.apply', undefined);
    assert.equal(await remote(own, dev, 'model/cubes/extra.yml'), cube);
    const toShared = approve('Commit to pricing-experiments', { message: 'Extra' });
    await user.does('modelbench.commit', undefined, toShared);
    // A measure that a view includes has another name: the build fails.
    await until(async () => (await own.buildOf(dev)) === 'failed');
    const question = await user.does(
      'modelbench.mergeToDefault',
      undefined,
      approve('Merge into main (production)', { message: 'Extra for all', typed: 'Shop analytics' }),
    );
    assert.match(question, /The build of “dev-[^”]+” failed, so production would fail as well/);
    // What breaks is said before it reaches production.
    assert.match(
      question,
      /Impact: [1-9]\d* names? changed or gone; (?:\d+ definitions? changed; )?[1-9]\d* references? broken in the model/,
    );
    assert.equal(await remote(own, 'main', 'model/cubes/extra.yml'), cube);
  });

  it('leave a dev branch that was deleted elsewhere, and keep the files', async () => {
    const own = await atDesk();
    const { platform, user, folder } = own;
    await platform.client.call(createBranch, { params: deployment, body: { name: 'feature/seen' } });
    await platform.client.call(deleteBranch, { params: deployment, query: { branchName: dev } });
    await user.does('modelbench.branches.refresh', undefined);
    await until(async () => /none is active/.test(await user.does('modelbench.push', undefined)));
    const kept = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, orders));
    assert.match(new TextDecoder().decode(kept), /# protected\n/);
  });

  it('end with the sign-out: the folder is not watched any more', async () => {
    const { platform, user, folder } = await atDesk();
    await user.does('modelbench.signOut', { accountId: platform.url }, press('Sign Out'));
    assert.match(await user.does('modelbench.push', undefined), /Sign in/);
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder, '..'), { recursive: true });
    user.leave();
    platform.stop();
  });
});

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
