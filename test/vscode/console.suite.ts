import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { listBranches } from '#api/branches.ts';
import { listDataModelFiles } from '#api/data-model.ts';
import { listDeployments } from '#api/deployments.ts';
import { listNotifications } from '#api/notifications.ts';
import { listReports } from '#api/reports.ts';
import { getEnvVars, setEnvVars } from '#api/runtime.ts';
import { listWorkbooks } from '#api/workbooks.ts';
import { comparableUrl } from '#features/accounts.ts';
import { dashboardTests } from './dashboard-tests.ts';
import { theExtension } from './extension.ts';
import { itemTests } from './item-tests.ts';
import { Person, pick, press, type } from './person.ts';
import { type SuitePlatform, startPlatform } from './platform.ts';
import { describe, it } from './runner.ts';

const deploymentId = '1';
const params = { deploymentId };

let platform: SuitePlatform;
let person: Person;
let target: { readonly accountId: string; readonly deploymentId: string };

const item = (kind: 'REPORT' | 'WORKBOOK', id: string, name: string, publicId?: string) => ({
  kind: 'item',
  ...target,
  item: { type: kind, id, name, publicId },
});

const reports = async (search: string) =>
  (await platform.client.call(listReports, { params, query: { search, first: 50 } })).items;
const workbooks = async (search: string) =>
  (await platform.client.call(listWorkbooks, { params, query: { search, first: 50 } })).items;
const deployments = async () => (await platform.client.call(listDeployments, {})).data.deployments;
const notifications = async () => (await platform.client.call(listNotifications, { params })).data;

/** Replaces the text of the active editor and saves it as a person does. */
async function saveAs(value: unknown): Promise<boolean> {
  const document = vscode.window.activeTextEditor?.document;
  assert.ok(document, 'a document is open');
  const $schema = /"\$schema": "([^"]+)"/.exec(document.getText())?.[1];
  const edit = new vscode.WorkspaceEdit();
  const text = JSON.stringify({ ...($schema === undefined ? {} : { $schema }), ...(value as object) }, undefined, 2);
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  await vscode.workspace.applyEdit(edit);
  return document.save();
}

/** Resolves once an editor shows what the platform made of a save, which ends its last line; it would replace an edit. */
async function answered(document: vscode.TextDocument): Promise<void> {
  if (document.getText().endsWith('\n')) return;
  await new Promise<void>((resolve) => {
    const listening = vscode.workspace.onDidChangeTextDocument(() => {
      if (!document.getText().endsWith('\n')) return;
      listening.dispose();
      resolve();
    });
  });
}

/** Resolves once an editor of that title is there. */
async function tabNamed(title: string): Promise<void> {
  const isThere = (): boolean =>
    vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label === title));
  if (isThere()) return;
  await new Promise<void>((resolve) => {
    const listening = vscode.window.tabGroups.onDidChangeTabs(() => {
      if (!isThere()) return;
      listening.dispose();
      resolve();
    });
  });
}

const problems = (): string =>
  vscode.languages
    .getDiagnostics()
    .flatMap(([, all]) => all.map(({ message }) => message))
    .join('\n');

describe('the console', () => {
  it('is used by a person who signs in, after a wrong key', async () => {
    await theExtension().extension.activate();
    platform = await startPlatform();
    person = new Person();
    const said = await person.does(
      'modelbench.signIn',
      undefined,
      type('not an address'),
      type(platform.url),
      type('a wrong key'),
      type('wrong'),
      type(platform.apiKey),
    );
    assert.match(said, /a key has no spaces/i);
    target = { accountId: comparableUrl(platform.url), deploymentId };
  });

  it('makes a report by its public id, names the wrong field, and shows the difference before it saves', async () => {
    await person.does('modelbench.workspace.create', target, pick('Report'), type('no spaces'), type('weekly-x'));
    await person.answering(async () => assert.equal(await saveAs({ name: 7 }), false));
    assert.match(problems(), /name/);
    const said = await person.answering(async () => saveAs({ name: 'Weekly', folderId: '2' }), press('Save'));
    assert.match(said, /Save the report “weekly-x”\?[^]*Weekly/);
    assert.deepEqual(
      (await reports('Weekly')).map(({ publicId, folderId }) => [publicId, folderId]),
      [['weekly-x', '2']],
    );
  });

  it('changes a report of the tree, and says what the server refuses', async () => {
    const [report] = await reports('Weekly');
    assert.ok(report);
    await person.does('modelbench.workspace.edit', item('REPORT', report.id, 'Weekly', 'weekly-x'));
    await person.answering(
      async () => assert.equal(await saveAs({ name: 'Weekly', folderId: '999' }), false),
      press('Save'),
    );
    assert.match(problems(), /there is no folder 999/);
    assert.equal((await reports('Weekly'))[0]?.folderId, '2');
    await person.answering(async () => saveAs({ name: 'Monthly', folderId: null }), press('Save'));
    assert.equal((await reports('Monthly'))[0]?.publicId, 'weekly-x');
  });

  it('makes a workbook by its slug', async () => {
    await person.does('modelbench.workspace.create', target, pick('Workbook'), type('by-hand'));
    await person.answering(async () => saveAs({ name: 'By hand' }), press('Save'));
    assert.equal((await workbooks('By hand'))[0]?.slug, 'by-hand');
  });

  it('connects a report to a spreadsheet', async () => {
    const [report] = await reports('Monthly');
    assert.ok(report);
    const place = item('REPORT', report.id, 'Monthly', 'weekly-x');
    const command = 'modelbench.workspace.connectSpreadsheet';
    const said = await person.does(command, place, type(' '), type('sheet-9'), type('Sheet1!A1'), type('D9'));
    assert.match(said, /Enter the id of the spreadsheet/);
    const [connected] = await reports('Monthly');
    assert.deepEqual(connected?.externalWorkbookPlacements, [
      { workbookId: 'sheet-9', resultLocation: 'Sheet1!A1', endResultCell: 'D9' },
    ]);
    assert.match(await person.does(command, item('WORKBOOK', '1', 'Store performance')), /only reports are connected/);
  });

  it('makes, lists, changes and deletes notifications; exactly one dashboard', async () => {
    const before = await notifications();
    await person.does('modelbench.notification.create', target);
    const both = { name: 'Mine', dashboardId: 1, dashboardPublicId: 'dashboard-store-performance' };
    await person.answering(async () => assert.equal(await saveAs(both), false));
    assert.match(problems(), /exactly one of dashboardId and dashboardPublicId/);
    const good = { name: 'Mine', dashboardPublicId: 'dashboard-store-performance', schedule: '0 8 * * 1' };
    await person.answering(async () => saveAs(good), press('Create'));
    assert.equal((await notifications()).length, before.length + 1);
    await person.does(
      'modelbench.notification.show',
      target,
      pick('Of a Dashboard…'),
      type('dashboard-store-performance'),
      pick('Mine'),
    );
    await person.answering(async () => saveAs({ name: 'Yours', enabled: false }), press('Save'));
    assert.ok((await notifications()).some(({ name, enabled }) => name === 'Yours' && enabled === false));
    await person.does('modelbench.notification.delete', target, pick('Yours'), press('Delete'));
    assert.equal((await notifications()).length, before.length);
  });

  it('duplicates a workbook', async () => {
    await person.does('modelbench.workspace.duplicate', item('WORKBOOK', '1', 'Store performance'), pick('My copy'));
    assert.equal((await workbooks('Store performance')).length, 2);
  });

  it('writes environment variables after a question, never a mask, and not over a colleague’s', async () => {
    const read = async () => (await platform.client.call(getEnvVars, { params })).env_variables;
    const before = await read();
    await person.does('modelbench.deployment.editVariables', target);
    const document = vscode.window.activeTextEditor?.document;
    assert.ok(document);
    const withNew = (value: string) => ({ env_variables: [...before, { name: 'NEW_ONE', value }] });
    await person.answering(async () => assert.equal(await saveAs(withNew('********')), false));
    // The question is closed without an answer.
    await person.answering(async () => assert.equal(await saveAs(withNew('1')), false));
    assert.equal((await read()).length, before.length);
    const said = await person.answering(async () => saveAs(withNew('1')), press('Write'));
    assert.match(said, /added: NEW_ONE/);
    assert.ok((await read()).some(({ name }) => name === 'NEW_ONE'));
    await answered(document);
    const env_variables = [...before, { name: 'THEIRS', value: '1' }].map(({ name, value = '' }) => ({ name, value }));
    await platform.client.call(setEnvVars, { params, body: { env_variables } });
    await person.answering(async () => assert.equal(await saveAs(withNew('2')), false));
    assert.ok((await read()).some(({ name }) => name === 'THEIRS'));
    // Opening it anew discards the change only when the person says so.
    await person.does('modelbench.deployment.editVariables', target, press('Keep Editing'));
    assert.ok(document.isDirty);
    await person.does('modelbench.deployment.editVariables', target, press('Discard and Read Anew'));
    assert.ok(!document.isDirty && document.getText().includes('THEIRS'), document.getText());
  });

  it('changes the version in each form, and says that one is not offered', async () => {
    const command = 'modelbench.deployment.changeVersion';
    const said = await person.does(
      command,
      target,
      pick('Another Version…'),
      type('newest'),
      type('v9.9.9'),
      press('Change Version'),
    );
    assert.match(said, /Enter <version>/);
    assert.match(said, /9\.9\.9/);
    const read = async () => (await deployments()).find(({ id }) => id === deploymentId);
    await person.does(command, target, pick('Newest of channel “latest”'), press('Change Version'));
    assert.equal((await read())?.releaseChannel, 'latest');
  });

  it('makes a metadata token that goes to the clipboard and is not shown', async () => {
    const said = await person.does(
      'modelbench.environment.createToken',
      target,
      pick('Production'),
      type('[]'),
      type('{"tenant":"acme"}'),
      type('soon'),
      type('90m'),
    );
    const token = await vscode.env.clipboard.readText();
    assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
    assert.ok(!said.includes(token));
    assert.match(said, /Enter a JSON object[^]*Enter a duration/);
  });

  it('starts a dbt sync whose branch has the model', async () => {
    const said = await person.does('modelbench.deployment.dbtSync', target, pick('main'));
    assert.match(said, /There are no dbt models/);
    const there = { ...target, deploymentId: '3' };
    await person.does('modelbench.deployment.dbtSync', there, pick('main'));
    const branches = await platform.client.call(listBranches, { params: { deploymentId: '3' } });
    const synced = branches.data.find(({ name }) => /dbt/i.test(name));
    assert.ok(synced, branches.data.map(({ name }) => name).join());
    const files = await platform.client.call(listDataModelFiles, {
      params: { deploymentId: '3' },
      query: { branchName: synced.name },
    });
    assert.ok(JSON.stringify(files).includes('dbt'));
  });

  it('exports the audit log whole or not at all, and shows it as a table', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'modelbench-audit-'));
    const file = path.join(folder, 'audit.csv');
    try {
      await platform.faults([{ kind: 'cut', afterBytes: 200, path: 'audit-logs' }]);
      const cut = await person.does('modelbench.audit.export', target, type('tomorrow'), type(''), type(file));
      assert.match(cut, /Enter one or two dates/);
      assert.ok(!existsSync(file) && !existsSync(`${file}.part`), 'no half file');
      await platform.faults([]);
      await person.does('modelbench.audit.export', target, type(''), type(file));
      assert.match(readFileSync(file, 'utf8'), /report\./);
      await person.does(
        'modelbench.audit.show',
        target,
        type(''),
        pick('Of One Event…'),
        type(' '),
        type('report.created'),
      );
      await tabNamed('Audit Log');
    } finally {
      await platform.faults([]);
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('creates a deployment from GitHub: installation, repository, branch; moves its setup on and deletes it', async () => {
    const said = await person.does(
      'modelbench.deployment.create',
      { accountId: target.accountId },
      type(' '),
      type('From GitHub'),
      pick('N. Virginia'),
      pick('cubecloud'),
      pick('github'),
      pick('git'),
      pick('shop'),
      pick('marketing-model'),
      pick('main'),
      press('Connect'),
    );
    assert.match(said, /Enter a name/);
    const read = async () => (await deployments()).find(({ name }) => name === 'From GitHub');
    const made = await read();
    assert.ok(made);
    const branches = await platform.client.call(listBranches, { params: { deploymentId: made.id } });
    assert.match(branches.data[0]?.lastHash ?? '', /^[0-9a-f]{40}$/);
    const there = { accountId: target.accountId, deploymentId: made.id };
    await person.does('modelbench.deployment.creationStep', there, pick('Next Step'));
    assert.notEqual((await read())?.creationStep, made.creationStep);
    await person.does('modelbench.deployment.delete', there, type('Something else'), type('From GitHub'));
    assert.equal(await read(), undefined);
  });

  dashboardTests(() => ({ platform, person, target }));
  itemTests(() => ({ platform, person, target }));

  it('opens the API description, whole or a part of it', async () => {
    const command = 'modelbench.apiExplorer.openDescription';
    await person.does(command, undefined, pick('Of a Path…'), type(' '), type('/regions'));
    const text = vscode.window.activeTextEditor?.document.getText() ?? '{}';
    assert.deepEqual(Object.keys((JSON.parse(text) as { readonly paths: object }).paths), ['/api/v1/regions/']);
    await platform.faults([{ kind: 'status', status: 500, path: 'api/v1/spec' }]);
    assert.match(await person.does(command, undefined), /platform/i);
    await platform.faults([]);
  });

  it('follows a log in an output channel', async () => {
    const { createOutputChannel } = vscode.window;
    const written = new Promise<string>((resolve) => {
      Object.assign(vscode.window, {
        createOutputChannel: (name: string, language: string) => {
          const channel = createOutputChannel(name, language);
          const append = (text: string): void => {
            channel.append(text);
            if (/ │ |cannot be followed/.test(text)) resolve(text);
          };
          const appendLine = (text: string): void => append(`${text}\n`);
          return {
            ...channel,
            name,
            append,
            appendLine,
            show: () => channel.show(true),
            dispose: () => channel.dispose(),
          };
        },
      });
    });
    try {
      await person.does('modelbench.deployment.showLogs', target, pick('all'), pick('all'));
      assert.match(await written, /^\d{4}-\d\d-\d\dT\S+ \S+ .*│ \S/);
    } finally {
      Object.assign(vscode.window, { createOutputChannel });
    }
  });

  it('says a refusal of the server in each of its forms and changes nothing', async () => {
    const refused: readonly (readonly [
      command: string,
      argument: unknown,
      path: string,
      ...answers: readonly Parameters<Person['does']>[2][],
    ])[] = [
      ['modelbench.workspace.duplicate', item('WORKBOOK', '1', 'x'), 'duplicate', pick('My copy')],
      [
        'modelbench.workspace.connectSpreadsheet',
        item('REPORT', '1', 'x'),
        'connect-workbook',
        type('a'),
        type('b'),
        type('c'),
      ],
      ['modelbench.notification.show', target, 'notifications', pick('All')],
      ['modelbench.deployment.changeVersion', target, 'versions'],
      ['modelbench.deployment.editVariables', target, 'env-vars'],
      ['modelbench.deployment.connectGithub', target, 'github'],
      ['modelbench.deployment.creationStep', target, 'creation-step', pick('Start Again')],
      ['modelbench.deployment.dbtSync', target, 'dbt-sync', pick('main')],
      ['modelbench.deployment.showPods', target, 'pods'],
      [
        'modelbench.environment.createToken',
        { ...target, environmentId: '1' },
        'tokens-for-meta-sync',
        type('{}'),
        type('1h'),
      ],
    ];
    for (const [command, argument, where, ...answers] of refused) {
      for (const status of [403, 500]) {
        await platform.faults([{ kind: 'status', status, path: where }]);
        const said = await person.does(command, argument, ...answers);
        assert.match(said, status === 403 ? /may not|permission/i : /platform/i, `${command}: ${said}`);
        assert.ok(!said.includes('Something went wrong'), `${command}: ${said}`);
      }
    }
    await platform.faults([]);
  });

  it('is left by signing out', async () => {
    await person.does('modelbench.signOut', { accountId: target.accountId });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    person.leave();
    platform.stop();
  });
});
