import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectUnused } from './device-use.ts';
import { readModes } from '#platform/modes/modes.ts';
import { startDevModeOn } from './dev-mode.ts';
import { journey, type Stage } from './journey.ts';
import { Keyboard } from './keyboard.ts';
import { Mouse } from './mouse.ts';
import { lastOn, writes } from './platform-state.ts';
import { choosePush, uploadAnyway } from './upload-anyway.ts';
import type { Workbench } from './workbench.ts';

const forecasts = 'model/cubes/forecasts.yml';
const targets = 'model/cubes/targets.yml';
const old = 'model/cubes/old.yml';
/** Another one than before: what was ticked once stays ticked in this window. */
const older = 'model/cubes/older.yml';
const deployment = 'Retail forecasts';
const confirmation = `Type “${deployment}” to confirm`;
const cube = (name: string): string =>
  `cubes:\n  - name: ${name}\n    sql: SELECT 1 AS id\n    measures:\n      - name: count\n        type: count\n`;

describe('a deployment whose production is what was uploaded', () => {
  it('is deployed from one page with a typed name, by mouse and by keyboard, and warns where Git feeds it', async () => {
    // On a strict platform, because neither the deploy mode nor the creation method is a documented field.
    await journey(
      'deploy',
      { signedIn: true, deployment: '2', platform: { modes: readModes('strict') } },
      async (stage) => {
        const { workbench } = stage;
        await workbench.openContainer('Modelbench');
        await workbench.widenSideBar(400);
        await workbench.row('Deployments', 'Retail forecasts').filter({ hasText: 'linked' }).waitFor();
        await deployByMouse(stage);
        await deployByKeyboard(stage);
        const pushed = await warnOfGit(stage);
        // The message of the push may be of the deploy before, which was of as many files.
        await expect.poll(pushed).toContain('model/cubes/targets.yml');
      },
    );
  });
});

async function deployByMouse(stage: Stage): Promise<void> {
  const { workbench, platform, folder } = stage;
  const { cli } = platform.control.demo;
  await platform.control.colleagueCommit(cli, 'master', { [old]: cube('old') });
  const model = readFileSync(join(folder, forecasts), 'utf8');
  writeFileSync(join(folder, forecasts), model.replace('name: region', 'name: area'));
  writeFileSync(join(folder, targets), cube('targets'));
  const mouse = await Mouse.of(workbench.page);
  await mouse.menu(workbench.row('Deployments', deployment), 'Deploy to Production…', workbench.dialogText);
  await uploadAnyway(workbench);
  const plan = await planWith(workbench, `${forecasts}, modified`);
  await plan.getByRole('treeitem', { name: `${targets}, added` }).waitFor();
  const deletion = plan.getByRole('treeitem', { name: new RegExp(`^${old}, deleted.*only on the platform`) });
  await deletion.waitFor();
  await plan.getByRole('button', { name: 'Deploy 2 Files to master (production)' }).waitFor();
  await plan.locator('summary').filter({ hasText: 'What changes' }).click();
  await plan
    .getByText('removed dimension string forecasts.region')
    .or(plan.getByText('renamed forecasts.region → forecasts.area'))
    .first()
    .waitFor();
  await workbench.pictures('plan');
  await plan.getByRole('treeitem', { name: `${forecasts}, modified` }).dblclick();
  await workbench.tab('forecasts.yml (master ↔ Local)').waitFor();
  await workbench.showTab('Deploy to master');
  // What only the platform has is deleted when a user ticks it, and not before.
  await deletion.locator('.tick').click();
  const button = 'Deploy 3 Files to master (production)';
  const row = workbench.row('Changes', button);
  await row.filter({ hasText: '2 files, 1 deletion' }).waitFor();
  const name = plan.getByLabel(confirmation, { exact: true });
  await name.fill('Retail');
  await mouse.confirmTooEarly(plan, button, 'Areas and targets');
  await plan.getByText(`${confirmation}.`, { exact: true }).waitFor();
  await workbench.picture('wrong-name');
  expect(writes(stage)).toEqual([]);
  await name.fill(deployment);
  await mouse.confirm(plan, button, 'Areas and targets');
  await workbench.message('Pushed 3 files').waitFor();
  expectUnused(mouse.keys);
  const sent = writes(stage).map((line) => line.replace(/^\w+ data-model\//, ''));
  expect(sent).toEqual(['upload/start', 'upload/file', 'upload/file', 'upload/finish']);
  await expect.poll(async () => lastOn(stage, 'master', cli)).toBe('Areas and targets\n');
  expect(Object.keys(await platform.control.hashes(cli, 'master'))).toEqual([forecasts, targets]);
  await workbench.row('Branches', 'master').filter({ hasText: 'built' }).waitFor();
  await workbench.picture('deployed');
  await workbench.run('Modelbench: Deploy to Production');
  await workbench.message(/Production already matches “shop-model”/).waitFor();
}

async function deployByKeyboard(stage: Stage): Promise<void> {
  const { workbench, platform, folder } = stage;
  const { cli } = platform.control.demo;
  writeFileSync(join(folder, targets), cube('targets').replace('count', 'goals'));
  await platform.control.colleagueCommit(cli, 'master', { [older]: cube('older') });
  const keyboard = await Keyboard.of(workbench.page);
  await keyboard.run('Modelbench: Deploy to Production');
  const plan = await planWith(workbench, `${targets}, modified`);
  const deletion = plan.getByRole('treeitem', { name: new RegExp(`^${older}, deleted.*only on the platform`) });
  await plan.locator('[role=tree]:focus').waitFor();
  await keyboard.press('Home');
  await keyboard.press('ArrowDown');
  await deletion.and(plan.locator('[aria-selected=true]')).waitFor();
  await keyboard.press('Space');
  await plan.getByRole('button', { name: 'Deploy 2 Files to master (production)' }).waitFor();
  await keyboard.confirm(plan, 'Goals', deployment);
  await workbench.message('Pushed 2 files').waitFor();
  expectUnused(keyboard.clicks);
  await expect.poll(async () => lastOn(stage, 'master', cli)).toBe('Goals\n');
  expect(Object.keys(await platform.control.hashes(cli, 'master'))).toEqual([forecasts, targets]);
}

/** The page of the deploy, once it has this file and the focus. */
async function planWith(workbench: Workbench, file: string): Promise<Frame> {
  const plan = await workbench.frameWith('#review .confirmation');
  await plan.getByRole('treeitem', { name: file }).waitFor();
  await plan.locator('[role=tree]:focus').waitFor();
  return plan;
}

/** Pushes in spite of the warning that Git may feed production too; answers what reads the files of the branch. */
async function warnOfGit(stage: Stage): Promise<() => Promise<readonly string[]>> {
  const { workbench, platform, folder, url } = stage;
  const { connected } = platform.control.demo;
  const link = { tenant: url, deployment: String(connected), modelPath: 'model' };
  platform.control.clearRequestLog();
  writeFileSync(join(folder, 'modelbench.json'), JSON.stringify(link));
  await startDevModeOn(workbench, 'main');
  // The setting is on, but the consent is missing: the row says that nothing is pushed.
  const held = workbench.row('Changes', 'Auto-push is off');
  await held.waitFor();
  await workbench.openFile('targets.yml');
  await workbench.typeBelow(2, '    title: Targets');
  await workbench.save();
  await choosePush(workbench, 'Push Manually');
  await workbench.picture('held-back');
  await workbench.openRow(workbench.row('Changes', /^Push \d+ Files?$/), workbench.tab(/^Push to dev-/));
  const push = await workbench.frameWith('#review [role=tree]');
  await push.getByRole('treeitem', { name: 'model/cubes/targets.yml' }).waitFor();
  await push.getByRole('button', { name: /^Push 2 Files to dev-/ }).click();
  await workbench.dialogText.filter({ hasText: 'may be connected' }).waitFor();
  await workbench.picture('connected-to-git');
  expect(writes(stage)).toEqual([]);
  await uploadAnyway(workbench);
  await workbench.message('Pushed 2 files').waitFor();
  // The answer “Push Manually” is the setting now.
  await held.waitFor();
  const dev = (await platform.control.git(connected, 'branch', '--list', 'dev-*', '--format=%(refname:short)')).trim();
  return async () => Object.keys(await platform.control.hashes(connected, dev));
}
