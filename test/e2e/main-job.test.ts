import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readModes } from '#platform/modes/modes.ts';
import { ask, endless } from './ask.ts';
import { startDevModeOn } from './dev-mode.ts';
import { journey, type Stage } from './journey.ts';
import { chooseSide, mergePane } from './merge-editor.ts';
import { devBranch, differences, remoteFile, writes } from './platform-state.ts';
import { readyPage, stepPage } from './step-page.ts';
import { choosePush } from './upload-anyway.ts';

const orders = 'model/cubes/orders.yml';
const shared = 'pricing-experiments';
/** As in a new window: the user has not chosen yet how saved files are pushed. */
const settings = { 'modelbench.sync.onSave': undefined };

describe('the main job', () => {
  it('goes from signing in to production, in a real VS Code', async () => {
    // On a strict platform: nothing here may depend on what a platform answers beyond what is documented.
    const options = { branch: shared, platform: { faults: true, modes: readModes('strict') }, host: { settings } };
    await journey('main-job', options, async (stage) => {
      await signIn(stage);
      await startDevMode(stage);
      await saveFile(stage);
      await pushSeveralFiles(stage);
      await breakAndMend(stage);
      await commitAndPull(stage);
      await meetConflict(stage);
      await mergeToSharedAndDefault(stage);
      await toggleStaging(stage);
      await chat(stage);
      expect(await stage.workbench.notifications()).toEqual([]);
    });
  });
});

async function signIn({ workbench, platform, url }: Stage): Promise<void> {
  await workbench.openContainer('Modelbench');
  await workbench.widenSideBar(400);
  await workbench.view('Changes').getByRole('button', { name: 'Sign In' }).waitFor();
  await workbench.picture('signed-out');
  await workbench.run('Modelbench: Sign In');
  await workbench.answer('Tenant URL', url);
  await workbench.answer('API key', platform.apiKey);
  await workbench.row('Deployments', 'Shop analytics').waitFor();
  await workbench.row('Branches', shared).waitFor();
  await workbench.openView('Workspace');
  await workbench.row('Workspace', /Folders/).waitFor();
  await workbench.picture('signed-in');
  await workbench.closeView('Workspace');
}

async function startDevMode({ workbench }: Stage): Promise<void> {
  await startDevModeOn(workbench, shared);
  await workbench.row('Branches', /^dev-/).waitFor();
  await workbench.status(/dev-\S+ · in sync · .*built/s).waitFor();
  await workbench.picture('dev-mode');
}

async function saveFile(stage: Stage): Promise<void> {
  const { workbench } = stage;
  await workbench.openFile('orders.yml');
  await workbench.typeBelow(5, '    meta:\n      owner: finance');
  await workbench.save();
  const branch = await devBranch(stage);
  await choosePush(workbench, 'Push Automatically');
  await expect.poll(async () => remoteFile(stage, branch, orders)).toContain('owner: finance');
  expect(writes(stage)).toContain('PUT data-model/files');
  await workbench.picture('saved');
}

const upload = (step: string): string => `POST data-model/upload/${step}`;
const uploaded = [upload('start'), upload('file'), upload('file'), upload('finish')];

async function pushSeveralFiles(stage: Stage): Promise<void> {
  const { workbench, folder, platform } = stage;
  const file = (path: string): string => join(folder, 'model', path);
  const coupons =
    'cubes:\n  - name: coupons\n    sql_table: customers\n    measures:\n      - name: count\n        type: count\n';
  writeFileSync(file('cubes/coupons.yml'), coupons);
  writeFileSync(file('views/pricing.yml'), `${readFileSync(file('views/pricing.yml'), 'utf8')}# checked\n`);
  renameSync(file('cubes/suppliers.yml'), file('cubes/vendors.yml'));
  rmSync(file('cubes/returns.js'));
  await workbench.run('Modelbench: Push Files to Dev Branch');
  for (const row of [
    'model/cubes/coupons.yml, added',
    'model/views/pricing.yml, modified',
    'model/cubes/vendors.yml, renamed from model/cubes/suppliers.yml',
    'model/cubes/returns.js, deleted',
  ]) {
    await workbench.reviewWith(row);
  }
  const review = await workbench.frameWith('#review');
  await review.getByRole('treeitem', { name: 'model/cubes/coupons.yml, added' }).click();
  await review.getByRole('list', { name: 'Changes of the model' }).getByText('added cube coupons').waitFor();
  await workbench.row('Changes', /^Push 4 Files to dev-/).waitFor();
  await review.getByText('is being compared').waitFor({ state: 'detached' });
  await workbench.readmePicture('push-plan');
  platform.control.clearRequestLog();
  await review.getByRole('button', { name: /^Push 4 Files to dev-/ }).click();
  await workbench.message('Pushed 4 files').waitFor();
  await expect.poll(async () => differences(stage, await devBranch(stage))).toEqual([]);
  const [first, ...rest] = writes(stage);
  expect(first).toBe('POST data-model/files/rename');
  expect(rest.pop()).toBe('DELETE data-model/files');
  // The extension chooses by the round trips it has measured: where they are slow, it uploads one file after the other.
  const oneByOne = Array.from({ length: 2 }, () => 'PUT data-model/files');
  expect([uploaded, oneByOne]).toContainEqual(rest);
  await workbench.status(/ in sync · .*built/s).waitFor();
  await workbench.readmePicture('changes');
}

async function breakAndMend({ workbench }: Stage): Promise<void> {
  await workbench.openFile('orders.yml');
  await workbench.typeBelow(23, '      - name: channel\n        sql: status\n        type: strng');
  await workbench.save();
  await workbench.status(/failed/).waitFor();
  // The build refuses it as well, and every cube that joins to this one: one mistake is one problem.
  await (await workbench.problem(/`strng` is not allowed here/)).waitFor();
  await (await workbench.problem(/^orders\.yml/)).waitFor();
  await workbench.readmePicture('build-error');
  await workbench.replaceLine(26, 'type: string');
  await workbench.save();
  await workbench.status(/built/).waitFor();
  await workbench.page.locator('.markers-panel').getByText('No problems have been detected').waitFor();
  await workbench.clearNotifications();
  await workbench.picture('mended');
  await workbench.closePanel();
}

async function commitAndPull(stage: Stage): Promise<void> {
  const { workbench, platform, folder } = stage;
  await commitOnPage(stage, 'Owners, coupons and vendors');
  await workbench.message(/Committed at/).waitFor();
  await expect
    .poll(async () => platform.control.git(1, 'log', '-1', '--format=%s', shared))
    .toBe('Owners, coupons and vendors\n');
  await workbench.picture('committed');
  const view =
    'views:\n  - name: order_overview\n    cubes:\n      - join_path: orders\n        includes: [status, count]\n';
  await platform.control.colleagueCommit(1, shared, { 'model/views/order_overview.yml': view });
  await workbench.run('Modelbench: Pull from Parent Branch');
  await expect.poll(() => existsSync(join(folder, 'model/views/order_overview.yml'))).toBe(true);
  await expect.poll(async () => differences(stage, await devBranch(stage))).toEqual([]);
  await workbench.status(/ in sync · .*built/s).waitFor();
  await workbench.picture('pulled-from-parent');
}

async function commitOnPage({ workbench }: Stage, message: string): Promise<void> {
  await workbench.run('Modelbench: Commit');
  const page = await stepPage(workbench, `Commit to ${shared}`);
  await page.getByLabel('Message').fill(message);
  await workbench.picture('commit');
  await page.getByRole('button', { name: `Commit to ${shared}` }).click();
}

async function meetConflict(stage: Stage): Promise<void> {
  const { workbench, platform, folder } = stage;
  const theirs = readFileSync(join(folder, orders), 'utf8').replace('owner: finance', 'owner: sales');
  await platform.control.colleagueCommit(1, shared, { [orders]: theirs });
  await workbench.openFile('orders.yml');
  await workbench.replaceLine(7, 'owner: controlling');
  await workbench.save();
  await expect.poll(async () => remoteFile(stage, await devBranch(stage), orders)).toContain('controlling');
  await commitOnPage(stage, 'Another owner');
  await workbench.notification(/moved on/).waitFor();
  await workbench.picture('commit-refused');
  await workbench.notificationButton(/moved on/, 'Pull and Continue');
  await workbench.notification(/Git conflict in 1 file/).waitFor();
  await workbench.picture('conflict');
  await workbench.notificationButton(/Git conflict/, 'Show Conflicts');
  // Base, the shared branch's version and the local one; the row stays until the pull went through.
  await mergePane(workbench, shared).getByText('its version on the platform').waitFor();
  const row = workbench.spokenRow('Changes', `${orders}, changed on ${shared} too`);
  await row.waitFor();
  await workbench.picture('conflict-in-file');
  await chooseSide(workbench, 'Accept Local');
  await workbench.showText('orders.yml');
  await workbench.replaceLine(7, 'owner: sales and controlling');
  await workbench.save();
  const settled = theirs.replace('owner: sales', 'owner: sales and controlling');
  await expect.poll(async () => remoteFile(stage, await devBranch(stage), orders)).toBe(settled);
  await workbench.rowAction(row, 'Mark Conflict as Resolved', workbench.status(/continue the commit/));
  await workbench.picture('conflict-settled');
  platform.control.clearRequestLog();
  const goesOn = workbench.status('').filter({ hasNotText: 'continue the commit' });
  await workbench.statusAction(/continue the commit/, goesOn);
  // The parent's version for the pull, and what was resolved again.
  await expect.poll(() => writes(stage)).toEqual(['PUT data-model/files', 'PUT data-model/files']);
  await expect.poll(async () => remoteFile(stage, await devBranch(stage), orders)).toBe(settled);
  await expect.poll(async () => differences(stage, await devBranch(stage))).toEqual([]);
  // The commit continues with the message that was typed before it was refused.
  await workbench.message(/Committed at/).waitFor();
  await expect.poll(async () => platform.control.git(1, 'log', '-1', '--format=%s', shared)).toBe('Another owner\n');
}

async function mergeToSharedAndDefault({ workbench, platform }: Stage): Promise<void> {
  await workbench.run('Modelbench: Merge into Parent Branch');
  const options = await stepPage(workbench, `Merge into ${shared}`);
  await options.getByLabel('Squash commits').check();
  await workbench.picture('merge-options');
  await options.getByRole('button', { name: `Merge into ${shared}` }).click();
  await workbench.message(/Merged into pricing-experiments/).waitFor();
  await workbench.run('Modelbench: Merge to Default Branch');
  const page = await stepPage(workbench, 'Merge into main (production)');
  await page.getByRole('treeitem', { name: `${orders}, modified` }).waitFor();
  await page.getByText(/Impact/).waitFor();
  await page.getByLabel('Message').fill('Owners of orders');
  await workbench.pictures('merge-to-default');
  await readyPage(page);
  await page.getByLabel('Message').press('Control+Enter');
  await workbench.message(/Merged into main/).waitFor();
  await expect
    .poll(async () => platform.control.git(1, 'show', `main:${orders}`))
    .toContain('owner: sales and controlling');
  const hash = (await platform.control.git(1, 'rev-parse', 'main')).slice(0, 7);
  await workbench
    .row('Branches', 'main')
    .filter({ hasText: `${hash} · built` })
    .waitFor();
  await workbench.picture('merged');
}

async function toggleStaging({ workbench }: Stage): Promise<void> {
  await workbench.clearNotifications();
  // The question has only branches that can have one.
  await workbench.run('Modelbench: Enable Staging Environment');
  await workbench.option(shared).waitFor();
  await expect.poll(async () => workbench.option('main').count()).toBe(0);
  await workbench.picture('staging-choices');
  await workbench.page.keyboard.press('Escape');
  // Each with room for all of its rows.
  await workbench.openOnly('Branches');
  const branch = workbench.row('Branches', shared);
  await workbench.rowAction(branch, 'Enable Staging Environment', workbench.dialogText);
  await workbench.dialog('Enable Staging Environment');
  await branch.filter({ hasText: 'staging' }).waitFor();
  await workbench.openOnly('Deployments');
  await workbench.row('Deployments', shared).filter({ hasText: 'staging' }).waitFor();
  await workbench.picture('staging');
  await workbench.openOnly('Branches');
  await workbench.rowAction(branch, 'Disable Staging Environment', workbench.dialogText);
  await workbench.dialog('Disable Staging Environment');
  await branch.filter({ hasNotText: 'staging' }).waitFor();
  await workbench.openOnly('Deployments');
  await workbench.row('Deployments', 'Shop analytics').waitFor();
  await workbench.row('Deployments', shared).waitFor({ state: 'detached' });
}

async function chat(stage: Stage): Promise<void> {
  const { workbench, platform, url } = stage;
  const panel = await workbench.openChat();
  await panel.getByRole('button', { name: 'Paste the Chat API URL…' }).click();
  const { account, agentId } = platform.control.demo;
  const address = `${url}/api/v1/public/${account}/agents/${agentId}/chat/stream-chat-state`;
  await workbench.answer('Copy it from the agent settings', address);
  await workbench.pick('API Key of This Account');
  await ask(panel, 'How many orders were there by status?');
  await panel.getByText('Orders by status').first().waitFor();
  await panel.getByRole('button', { name: 'Send' }).waitFor();
  await panel.locator('.chart-place svg').waitFor();
  await workbench.readmePicture('chat');
  stage.setAgent({ chatDelayMs: 40 });
  await ask(panel, 'Tell me a long story about the data');
  const turn = panel.locator('.turn').filter({ hasText: 'Tell me a long story' });
  const story = turn.locator('.answer > .markdown');
  await expect.poll(async () => (await story.textContent())?.length ?? 0).toBeGreaterThan(60);
  stage.setAgent({ chatDelayMs: endless });
  await panel.getByRole('button', { name: 'Stop' }).click();
  await panel.getByText('Stopped.').waitFor();
  expect(((await story.textContent()) ?? '').length).toBeGreaterThan(60);
  const aborts = platform.control.requestLog.filter(({ path }) => path.endsWith('/chat/abort'));
  expect(aborts.map(({ status }) => status)).toEqual([204]);
  await workbench.picture('stopped');
}
