import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { comparableUrl } from '#features/accounts.ts';
import { dashboardTests } from './dashboard-tests.ts';
import { deploymentTests } from './deployment-tests.ts';
import { theExtension } from './extension.ts';
import { itemTests } from './item-tests.ts';
import { Person, pick, type } from './person.ts';
import { type SuitePlatform, startPlatform } from './platform.ts';
import { describe, it } from './runner.ts';
import { workspaceTests } from './workspace-tests.ts';

const deploymentId = '1';

let platform: SuitePlatform;
let person: Person;
let target: { readonly accountId: string; readonly deploymentId: string };

const item = (kind: 'REPORT' | 'WORKBOOK', id: string, name: string, publicId?: string) => ({
  kind: 'item',
  ...target,
  item: { type: kind, id, name, publicId },
});

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

  workspaceTests(() => ({ platform, person, target }));
  deploymentTests(() => ({ platform, person, target }));
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
