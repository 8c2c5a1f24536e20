import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { stage, platformViews } from '../signed-in-stage.ts';
import { noTabNamed } from '../editors.ts';
import { replacePages } from '../pages.ts';
import { describe, it } from '../runner.ts';
import { pick, press, type } from '../user.ts';

describe(
  'the views of the platform',
  () => {
    it('is used by a user who signs in, after a wrong key', () => {
      assert.match(stage().signedInWith, /a key has no spaces/i);
    });

    it('opens the API description, whole or a part of it', async () => {
      const { user, platform } = stage();
      const command = 'modelbench.apiExplorer.openDescription';
      await user.does(command, undefined, pick('Filter by Path…'), type(' '), type('/regions'));
      const text = vscode.window.activeTextEditor?.document.getText() ?? '{}';
      assert.deepEqual(Object.keys((JSON.parse(text) as { readonly paths: object }).paths), ['/api/v1/regions/']);
      await platform.faults([{ kind: 'status', status: 500, path: 'api/v1/spec' }]);
      assert.match(await user.does(command, undefined), /platform/i);
      await platform.faults([]);
    });

    it('is left by signing out: in VS Code’s Accounts too, and with what was open of the tenant', async () => {
      const { user, target } = stage();
      const accounts = async () => (await vscode.authentication.getAccounts('modelbench')).map(({ id }) => id);
      try {
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
      } finally {
        // Whatever became of this one, the suites that follow sign in again.
        await platformViews.close();
      }
    });
  },
  platformViews,
);
