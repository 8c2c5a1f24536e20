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
import { playgroundTests } from './playground-tests.ts';
import { User, pick, press, type } from './user.ts';
import { type SuitePlatform, startPlatform } from './platform.ts';
import { describe, it } from './runner.ts';
import { workspaceTests } from './workspace-tests.ts';

const deploymentId = '1';

let platform: SuitePlatform;
let user: User;
let names: Readonly<Record<string, string>>;
let target: { readonly accountId: string; readonly deploymentId: string };

describe('the console', () => {
  it('is used by a user who signs in, after a wrong key', async () => {
    await theExtension().extension.activate();
    platform = await startPlatform();
    user = new User();
    const said = await user.does(
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

  workspaceTests(() => ({ platform, user, target }));
  auditTests(() => ({ platform, user, target }));
  deploymentTests(() => ({ platform, user, target }));
  dashboardTests(() => ({ platform, user, target }));
  draftTests(() => ({ platform, user, target }));
  itemTests(() => ({ platform, user, target }));

  it('opens the API description, whole or a part of it', async () => {
    const command = 'modelbench.apiExplorer.openDescription';
    await user.does(command, undefined, pick('Filter by Path…'), type(' '), type('/regions'));
    const text = vscode.window.activeTextEditor?.document.getText() ?? '{}';
    assert.deepEqual(Object.keys((JSON.parse(text) as { readonly paths: object }).paths), ['/api/v1/regions/']);
    await platform.faults([{ kind: 'status', status: 500, path: 'api/v1/spec' }]);
    assert.match(await user.does(command, undefined), /platform/i);
    await platform.faults([]);
  });

  logTests(() => ({ platform, user, target }));
  playgroundTests(() => ({ platform, user, target }));
  adminTests(() => ({ platform, user, target }));
  formTests(() => ({ platform, user, target, names }), 'the console', forms);
  formTests(() => ({ platform, user, target }), 'dashboards', dashboardForms);
  scopeTests(() => ({ platform, user, target }));

  it('is left by signing out: in VS Code’s Accounts too, and with what was open of the tenant', async () => {
    const accounts = async () => (await vscode.authentication.getAccounts('modelbench')).map(({ id }) => id);
    assert.deepEqual(await accounts(), [target.accountId]);
    await user.does('modelbench.deployment.editVariables', target);
    const page = replacePages();
    await user.does('modelbench.deployment.showLogs', target);
    page.restore();
    const playground = replacePages();
    await user.does('modelbench.playground.open', target);
    playground.restore();
    await user.does('modelbench.signOut', { accountId: target.accountId }, press('Sign Out'));
    assert.deepEqual(await accounts(), []);
    assert.ok(page.isClosed(), 'the log of the tenant is closed');
    assert.ok(playground.isClosed(), 'the playground of the tenant is closed');
    await noTabNamed('environment-variables.json');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    user.leave();
    platform.stop();
  });
});
