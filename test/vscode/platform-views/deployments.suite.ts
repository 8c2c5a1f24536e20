import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { listBranches } from '#api/resources/branches.ts';
import { listDataModelFiles } from '#api/resources/data-model.ts';
import { listDeployments } from '#api/resources/deployments.ts';
import { getEnvVars, setEnvVars } from '#api/resources/runtime.ts';
import { answered, saveAs, tabNamed } from '../editors.ts';
import { pick, press, type } from '../user.ts';
import { problemsThat } from '../problems.ts';
import { describe, it } from '../runner.ts';
import { stage, platformViews } from '../signed-in-stage.ts';

// What is done with a deployment from its view, with what the platform has afterwards.
describe(
  'the views of the platform',
  () => {
    const params = { deploymentId: '1' };
    const deployments = async () => (await stage().platform.client.call(listDeployments, {})).data.deployments;

    it('writes environment variables after a question, never a mask, and not over a colleague’s', async () => {
      const { user, platform, target } = stage();
      const read = async () => (await platform.client.call(getEnvVars, { params })).env_variables;
      const before = await read();
      await user.does('modelbench.deployment.editVariables', target);
      const document = vscode.window.activeTextEditor?.document;
      assert.ok(document);
      const withNew = (value: string) => ({ env_variables: [...before, { name: 'NEW_ONE', value }] });
      await user.answering(async () => assert.equal(await saveAs(withNew('********')), false));
      const marks = await problemsThat(document.uri, (all) => all.length > 0);
      assert.match(marks[0]?.message ?? '', /“NEW_ONE” has a masked value/);
      assert.equal(document.getText(marks[0]?.range), '"********"');
      // The question is closed without an answer.
      await user.answering(async () => assert.equal(await saveAs(withNew('1')), false));
      assert.equal((await read()).length, before.length);
      const said = await user.answering(async () => saveAs(withNew('1')), press('Show Difference'), pick('Write'));
      assert.match(said, /added: NEW_ONE/);
      await tabNamed('Environment variables: platform ↔ document');
      assert.ok((await read()).some(({ name }) => name === 'NEW_ONE'));
      await answered(document);
      await problemsThat(document.uri, (all) => all.length === 0);
      const env_variables = [...before, { name: 'THEIRS', value: '1' }].map(({ name, value = '' }) => ({
        name,
        value,
      }));
      await platform.client.call(setEnvVars, { params, body: { env_variables } });
      await user.answering(async () => assert.equal(await saveAs(withNew('2')), false));
      assert.ok((await read()).some(({ name }) => name === 'THEIRS'));
      // Opening it again discards the change only when the user says so.
      await user.does('modelbench.deployment.editVariables', target, press('Keep Editing'));
      assert.ok(document.isDirty);
      await user.does('modelbench.deployment.editVariables', target, press('Discard and Reload'));
      assert.ok(!document.isDirty && document.getText().includes('THEIRS'), document.getText());
    });

    it('changes the version in each form, and says that one is not offered', async () => {
      const { user, target } = stage();
      const command = 'modelbench.deployment.changeVersion';
      const said = await user.does(
        command,
        target,
        pick('Another Version…'),
        type('newest'),
        type('v9.9.9'),
        press('Change Version'),
      );
      assert.match(said, /Enter <version>/);
      assert.match(said, /9\.9\.9/);
      const read = async () => (await deployments()).find(({ id }) => id === target.deploymentId);
      await user.does(command, target, pick('Newest of channel “latest”'), press('Change Version'));
      assert.equal((await read())?.releaseChannel, 'latest');
      const before = (await read())?.name ?? '';
      await user.does(command, target, pick('Rename…'), type(' '), type('Renamed'), press('Change Settings'));
      assert.equal((await read())?.name, 'Renamed');
      await user.does(command, target, pick('Rename…'), type(before), press('Change Settings'));
    });

    it('makes a metadata token that goes to the clipboard and is not shown', async () => {
      const { user, target } = stage();
      const said = await user.does(
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

    it('follows a dbt sync to the difference between its branch and where it began', async () => {
      const { user, platform, target } = stage();
      const toMain = [pick('main'), press('Start dbt Sync on main (production)')];
      const said = await user.does('modelbench.deployment.dbtSync', target, ...toMain);
      assert.match(said, /There are no dbt models/);
      const there = { ...target, deploymentId: '3' };
      await user.does('modelbench.deployment.dbtSync', there, ...toMain);
      const branches = await platform.client.call(listBranches, { params: { deploymentId: '3' } });
      const synced = branches.data.find(({ name }) => /dbt/i.test(name));
      assert.ok(synced, branches.data.map(({ name }) => name).join());
      const files = await platform.client.call(listDataModelFiles, {
        params: { deploymentId: '3' },
        query: { branchName: synced.name },
      });
      assert.ok(JSON.stringify(files).includes('dbt'));
      assert.match(await tabNamed(/dbt-sync-main-1/), /^main ↔ dbt-sync-main-1: \d+ added \(\d+ files?\)$/);
    });

    it('creates a deployment from a GitHub repository, continues its setup, and deletes it', async () => {
      const { user, platform, target } = stage();
      const said = await user.does(
        'modelbench.deployment.create',
        { accountId: target.accountId },
        type(' '),
        type('From GitHub'),
        pick('N. Virginia'),
        pick('cubecloud'),
        pick('github'),
        pick('git'),
        type(''),
        pick('shop'),
        pick('marketing-model'),
        pick('main'),
        press('Connect From GitHub to GitHub'),
      );
      assert.match(said, /Enter a name/);
      const read = async () => (await deployments()).find(({ name }) => name === 'From GitHub');
      const made = await read();
      assert.ok(made);
      const branches = await platform.client.call(listBranches, { params: { deploymentId: made.id } });
      assert.match(branches.data[0]?.lastHash ?? '', /^[0-9a-f]{40}$/);
      const there = { accountId: target.accountId, deploymentId: made.id };
      await user.does('modelbench.deployment.creationStep', there, pick('Next Step'));
      assert.notEqual((await read())?.creationStep, made.creationStep);
      await user.does('modelbench.deployment.delete', there, type('Something else'), type('From GitHub'));
      assert.equal(await read(), undefined);
      await vscode.commands.executeCommand('modelbench.selectDeployment', target);
    });
  },
  platformViews,
);
