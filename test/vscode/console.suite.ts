import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { listDeployments } from '#api/deployments.ts';
import { listNotifications } from '#api/notifications.ts';
import { comparableUrl } from '#features/accounts/accounts.ts';
import { adminTests } from './admin-tests.ts';
import { auditTests } from './audit-tests.ts';
import { dashboardForms } from './dashboard-forms.ts';
import { dashboardTests } from './dashboard-tests.ts';
import { deploymentTests } from './deployment-tests.ts';
import { draftTests } from './draft-tests.ts';
import { noTabNamed } from './editors.ts';
import { theExtension } from './extension.ts';
import { formTests, scopeTests } from './form-tests.ts';
import * as forms from './forms.ts';
import { itemTests } from './item-tests.ts';
import { logTests } from './log-tests.ts';
import { replacePages } from './pages.ts';
import { Person, pick, press, type } from './person.ts';
import { type SuitePlatform, startPlatform } from './platform.ts';
import { describe, it } from './runner.ts';
import { workspaceTests } from './workspace-tests.ts';

const deploymentId = '1';

let platform: SuitePlatform;
let person: Person;
let names: Readonly<Record<string, string>>;
let target: { readonly accountId: string; readonly deploymentId: string };

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
    const { data } = await platform.client.call(listDeployments, {});
    const notifications = await platform.client.call(listNotifications, { params: { deploymentId } });
    names = {
      name: data.deployments.find(({ id }) => id === deploymentId)?.name ?? '',
      notification: notifications.data[0]?.name ?? '',
    };
  });

  workspaceTests(() => ({ platform, person, target }));
  auditTests(() => ({ platform, person, target }));
  deploymentTests(() => ({ platform, person, target }));
  dashboardTests(() => ({ platform, person, target }));
  draftTests(() => ({ platform, person, target }));
  itemTests(() => ({ platform, person, target }));

  it('opens the API description, whole or a part of it', async () => {
    const command = 'modelbench.apiExplorer.openDescription';
    await person.does(command, undefined, pick('Filter by Path…'), type(' '), type('/regions'));
    const text = vscode.window.activeTextEditor?.document.getText() ?? '{}';
    assert.deepEqual(Object.keys((JSON.parse(text) as { readonly paths: object }).paths), ['/api/v1/regions/']);
    await platform.faults([{ kind: 'status', status: 500, path: 'api/v1/spec' }]);
    assert.match(await person.does(command, undefined), /platform/i);
    await platform.faults([]);
  });

  logTests(() => ({ platform, person, target }));
  adminTests(() => ({ platform, person, target }));
  formTests(() => ({ platform, person, target, names }), 'the console', forms);
  formTests(() => ({ platform, person, target }), 'dashboards', dashboardForms);
  scopeTests(() => ({ platform, person, target }));

  it('is left by signing out: in VS Code’s Accounts too, and with what was open of the tenant', async () => {
    const accounts = async () => (await vscode.authentication.getAccounts('modelbench')).map(({ id }) => id);
    assert.deepEqual(await accounts(), [target.accountId]);
    await person.does('modelbench.deployment.editVariables', target);
    const page = replacePages();
    await person.does('modelbench.deployment.showLogs', target, pick('production · INIT'));
    page.restore();
    await person.does('modelbench.signOut', { accountId: target.accountId }, press('Sign Out'));
    assert.deepEqual(await accounts(), []);
    assert.ok(page.isClosed(), 'the log of the tenant is closed');
    await noTabNamed('environment-variables.json');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    person.leave();
    platform.stop();
  });
});
