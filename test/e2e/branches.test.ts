import { describe, expect, it } from 'vitest';
import { expectUnused } from './device-use.ts';
import { readModes } from '#platform/modes/modes.ts';
import { startDevModeOn } from './dev-mode.ts';
import { inOneWindow, journey, type Stage } from './journey.ts';
import { Keyboard } from './keyboard.ts';
import { Mouse } from './mouse.ts';
import { branchState, devBranch, differences, lastOn, remoteFile, writes } from './platform-state.ts';
import { readyPage, stepPage } from './step-page.ts';
import { choosePush } from './upload-anyway.ts';
import { untilDone, untilSeen } from './until.ts';
import { Workbench } from './workbench.ts';

const orders = 'model/cubes/orders.yml';
const customers = 'model/cubes/customers.yml';
const shared = 'pricing-experiments';
const feature = 'feature/sales';
/** As in a new window: the user has not chosen yet whether saved files are pushed automatically. */
const settings = {
  'files.autoSave': 'off',
  'modelbench.protected.branches': ['main'],
  'modelbench.sync.onSave': undefined,
  // The question about its scripts comes with the first check of a model, whenever that is.
  'modelbench.language.engineCheck.run': 'off',
};

describe('branches without a local copy, then with one', () => {
  it('are compared, staged and cloned, and reach a protected production only by its typed name', async () => {
    // On a strict platform: nothing here may depend on what a platform answers beyond what is documented.
    const platform = { faults: true, modes: readModes('strict') };
    const options = { signedIn: true, linked: false, platform, host: { settings } };
    await journey('branches', options, async (stage) => {
      await browse(stage);
      await compare(stage);
      await toggleStaging(stage);
      expect(writes(stage)).toEqual([]);
      await clone(stage);
      await compareFile(stage);
      await work(stage);
      await mergeToProtected(stage);
      expect(await stage.workbench.notifications()).toEqual([]);
      await takeOverInSecondWindow(stage);
    });
  });
});

/** Saved files are pushed; nothing asks in between. */
const onProduction = { 'files.autoSave': 'off', 'modelbench.language.engineCheck.run': 'off' };

describe('a commit that would reach a red production', () => {
  const options = { signedIn: true, branch: 'main', platform: { faults: true }, host: { settings: onProduction } };
  const play = inOneWindow(options);

  play('is refused until the name of the deployment is typed, by mouse alone', 'red-production', async (stage) => {
    await startOnProduction(stage);
    await breakDevBranch(stage);
    const mouse = await Mouse.of(stage.workbench.page);
    await commitByMouse(stage, mouse);
    expectUnused(mouse.keys);
  });

  play(
    'is refused until the name of the deployment is typed, by keyboard alone',
    'red-keyboard',
    async (stage) => {
      const keyboard = await Keyboard.of(stage.workbench.page);
      await breakByKeyboard(stage, keyboard);
      await commitByKeyboard(stage, keyboard);
      expectUnused(keyboard.clicks);
    },
    startOnProduction,
  );
});

const toProduction = 'Commit to main (production)';
const deployment = 'Shop analytics';

/** A dev branch of production. */
async function startOnProduction({ workbench }: Stage): Promise<void> {
  await workbench.openContainer('Modelbench');
  await workbench.widenSideBar(400);
  await startDevModeOn(workbench, 'main');
  await workbench.status(/dev-\S+ · in sync · .*built/s).waitFor();
}

/** Its build fails. */
async function breakDevBranch({ workbench }: Stage): Promise<void> {
  await workbench.openFile('orders.yml');
  await workbench.typeBelow(4, '    broken: [');
  await workbench.save();
  await workbench.status(/failed/).waitFor();
  // It lies over the buttons of a page.
  await workbench.notification(/The build of “dev-[^”]+” failed/).waitFor();
  await workbench.clearNotifications();
}

/** The page reports what is wrong, and its button needs the deployment's name. */
async function commitByMouse(stage: Stage, mouse: Mouse): Promise<void> {
  const { workbench } = stage;
  const before = await lastOn(stage, 'main');
  const row = workbench.row('Changes', 'Commit to main');
  await workbench.openRow(row, workbench.tab(toProduction));
  const page = await stepPage(workbench, toProduction);
  await page.getByRole('treeitem', { name: `${orders}, modified` }).waitFor();
  await page.getByRole('alert').filter({ hasText: 'failed, so production would fail as well' }).waitFor();
  await workbench.pictures('page');
  await mouse.confirmTooEarly(page, toProduction, 'small typo fix');
  await page.getByText(`Type “${deployment}” to confirm.`, { exact: true }).waitFor();
  expect(await lastOn(stage, 'main')).toBe(before);
  await page.getByLabel(`Type “${deployment}” to confirm`, { exact: true }).fill(deployment);
  await mouse.confirm(page, toProduction, 'small typo fix');
  await expect.poll(async () => lastOn(stage, 'main')).toBe('small typo fix\n');
}

/** The same with the keyboard. */
async function breakByKeyboard(stage: Stage, keyboard: Keyboard): Promise<void> {
  const { workbench } = stage;
  await workbench.openFile('orders.yml');
  await workbench.page.locator('.editor-instance .monaco-editor.focused').first().waitFor();
  await keyboard.press('Control+End');
  await keyboard.type('\nworse: [\n');
  await workbench.save();
  await expect.poll(async () => remoteFile(stage, await devBranch(stage), orders)).toContain('worse');
  await workbench.status(/failed/).waitFor();
}

/** Ctrl+Enter in Source Control opens the page; Ctrl+Enter there needs the deployment's name. */
async function commitByKeyboard(stage: Stage, keyboard: Keyboard): Promise<void> {
  const { workbench } = stage;
  const before = await lastOn(stage, 'main');
  await keyboard.run('Source Control: Focus on Changes View');
  const input = workbench.page.locator('.scm-view .scm-editor');
  await keyboard.tabTo(input);
  await keyboard.type('another typo fix');
  await keyboard.press('Control+Enter');
  let page = await stepPage(workbench, toProduction);
  await expect.poll(async () => lastOn(stage, 'main')).toBe(before);
  await expect.poll(async () => page.getByLabel('Message').inputValue()).toBe('another typo fix');
  // A page that was opened before the build had failed is opened again, with what has changed.
  await untilDone(async (timeout) => {
    page = await stepPage(workbench, toProduction);
    await keyboard.press('Control+Enter');
    await page.getByText(`Type “${deployment}” to confirm.`, { exact: true }).waitFor({ timeout });
  });
  await expect.poll(async () => lastOn(stage, 'main')).toBe(before);
  await keyboard.confirm(page, 'another typo fix', deployment);
  await expect.poll(async () => lastOn(stage, 'main')).toBe('another typo fix\n');
}

/** A file of a shared branch: its place is in the breadcrumbs, and nothing can be typed into it. */
async function browse({ workbench }: Stage): Promise<void> {
  await workbench.openContainer('Modelbench');
  await workbench.widenSideBar(400);
  const select = workbench.view('Branches').getByRole('button', { name: 'Select Deployment' });
  await untilSeen(workbench.option('Shop analytics'), async (timeout) => select.click({ timeout }));
  await workbench.pick('Shop analytics');
  const row = workbench.row('Branches', shared);
  await row.waitFor();
  await expect.poll(async () => row.getAttribute('aria-label')).toMatch(/^pricing-experiments, shared branch, /);
  await workbench.rowMenu(row, 'Open File of Branch', workbench.option('orders.yml'));
  await workbench.pick('orders.yml');
  await workbench.page.locator('.breadcrumbs-control').filter({ hasText: shared }).waitFor();
  await workbench.tab('orders.yml').locator('.codicon-lock').or(workbench.tab('orders.yml')).first().waitFor();
  const refusal = workbench.page.locator('.monaco-editor-overlaymessage').getByText(/read-only/);
  await untilSeen(refusal, async (timeout) => {
    await workbench.focusEditor(timeout);
    await workbench.page.keyboard.insertText('x');
  });
  await workbench.picture('read-only');
}

async function compare({ workbench }: Stage): Promise<void> {
  await workbench.rowMenu(workbench.row('Branches', shared), 'Compare with Branch…', workbench.option('main'));
  await workbench.pick('main');
  await workbench.tab('main ↔ pricing-experiments: 1 added, 3 removed (4 files)').waitFor();
  await workbench.page.locator('.multiDiffEntry').getByText('pricing.yml').first().waitFor();
  await workbench.picture('compared');
}

async function toggleStaging(stage: Stage): Promise<void> {
  const { workbench } = stage;
  const row = workbench.row('Branches', shared);
  await workbench.rowAction(row, 'Enable Staging Environment', workbench.dialogText);
  await workbench.dialog('Enable Staging Environment');
  await expect.poll(async () => branchState(stage, shared)).toMatchObject({ isStagingEnvironmentEnabled: true });
  await expect.poll(async () => row.getAttribute('aria-label')).toContain('staging');
  await workbench.picture('staging');
  await workbench.rowAction(row, 'Disable Staging Environment', workbench.dialogText);
  await workbench.dialog('Disable Staging Environment');
  await expect.poll(async () => branchState(stage, shared)).toMatchObject({ isStagingEnvironmentEnabled: false });
}

/** Into the empty folder that is open: nothing differs from the platform, and the folder is linked. */
async function clone(stage: Stage): Promise<void> {
  const { workbench } = stage;
  const start = workbench.view('Changes').getByRole('button', { name: 'Clone Deployment' });
  await untilSeen(workbench.option('Shop analytics'), async (timeout) => start.click({ timeout }));
  await workbench.pick('Shop analytics');
  await workbench.page.getByText('Choose Where to Clone Shop analytics').waitFor();
  const linked = workbench.row('Deployments', 'Shop analytics').filter({ hasText: 'linked' });
  await workbench.questionButton('Clone Here', linked);
  await expect.poll(async () => differences(stage, 'main')).toEqual([]);
  await workbench.picture('cloned');
}

async function compareFile({ workbench }: Stage): Promise<void> {
  await workbench.openFile('orders.yml');
  await workbench.run('Modelbench: Compare File with Branch');
  await workbench.pick('returns-model');
  await workbench.tab('orders.yml (returns-model ↔ Local)').waitFor();
  await workbench.page.locator('.monaco-diff-editor .view-line').first().waitFor();
  await workbench.picture('file-compared');
}

/** A dev branch of a new shared one, with a change of what queries can name. */
async function work(stage: Stage): Promise<void> {
  const { workbench } = stage;
  await workbench.rowMenu(workbench.row('Branches', 'main'), 'Create Shared Branch', workbench.quickInput);
  await workbench.answer('Name of the new branch (forked from “main”)', feature);
  await workbench.pick('Create Branch');
  await startDevModeOn(workbench, feature);
  await workbench.status(/dev-\S+ · in sync · .*built/s).waitFor();
  await workbench.openFile('orders.yml');
  await workbench.replaceLine(4, 'title: Sales orders');
  await workbench.typeBelow(21, '      - name: channel\n        sql: status\n        type: string');
  await workbench.save();
  const branch = await devBranch(stage);
  await workbench.status(/↑1/).waitFor();
  expect(await remoteFile(stage, branch, orders)).not.toContain('title: Sales orders');
  await choosePush(workbench, 'Push Automatically');
  await expect.poll(async () => remoteFile(stage, branch, orders)).toContain('title: Sales orders');
}

/** What would reach production is in view; only the right name continues, and what was not committed is asked for. */
async function mergeToProtected(stage: Stage): Promise<void> {
  const { workbench, platform } = stage;
  const dev = await devBranch(stage);
  const head = (): Promise<string> => platform.control.git(1, 'rev-parse', 'main');
  const before = await head();
  await confirmTyped(stage, ['production', 'main']);
  await workbench.notificationButton(/has uncommitted changes/, 'Commit…');
  const commit = await stepPage(workbench, `Commit to ${feature}`);
  await commit.getByLabel('Message').fill('Call them sales orders');
  await readyPage(commit);
  await commit.getByLabel('Message').press('Control+Enter');
  await workbench.message(/Committed at/).waitFor();
  expect(await head()).toBe(before);
  await confirmTyped(stage, ['main']);
  await workbench.status('no dev branch').waitFor();
  await expect.poll(async () => platform.control.git(1, 'show', `main:${orders}`)).toContain('title: Sales orders');
  await expect.poll(async () => branchState(stage, dev)).toBeUndefined();
  await workbench.row('Branches', dev).waitFor({ state: 'detached' });
  await workbench.picture('merged');
}

async function confirmTyped({ workbench }: Stage, names: readonly string[]): Promise<void> {
  const button = 'Merge into main (production)';
  await workbench.run('Modelbench: Merge to Default Branch');
  const page = await stepPage(workbench, button);
  await page.getByRole('treeitem', { name: `${orders}, modified` }).waitFor();
  await page.locator('summary').filter({ hasText: 'What changes' }).click();
  await page.getByText('added dimension string orders.channel').waitFor();
  await page.getByLabel('Message').fill('Sales orders');
  await page.getByLabel('Remove the dev branch after the merge').check();
  await workbench.picture('review');
  for (const name of names) {
    const field = page.getByLabel('Type “main” to confirm', { exact: true });
    await field.fill(name);
    if (name === 'main') await readyPage(page);
    await field.press('Control+Enter');
    if (name === 'main') break;
    await page.getByText('Type “main” to confirm.', { exact: true }).waitFor();
    await workbench.picture('wrong-name');
  }
}

/** A second window on the same folder and dev branch reads and says so, and sends what was saved once the first is gone. */
async function takeOverInSecondWindow(stage: Stage): Promise<void> {
  const { workbench, host, folder } = stage;
  await startDevModeOn(workbench, 'main');
  await workbench.status(/dev-\S+ · in sync/).waitFor();
  const branch = await devBranch(stage);
  const page = await host.open({ folder, context: workbench.page.context() });
  const second = new Workbench(host, page, 'branches/second');
  await second.ready();
  await second.openContainer('Modelbench');
  const only = second.view('Changes').getByText('Another window syncs this folder; this one only shows its changes.');
  await only.waitFor();
  await second.openFile('customers.yml');
  await second.replaceLine(4, 'title: Buyers');
  await second.save();
  await second.status(/↑1/).waitFor();
  await second.picture('reads');
  expect(await remoteFile(stage, branch, customers)).not.toContain('title: Buyers');
  // As a user closes a tab: the page is left, and with it what runs behind it.
  await workbench.page.goto('about:blank');
  await expect
    .poll(async () => {
      await second.run('Modelbench: Compare with the Platform');
      return only.count();
    })
    .toBe(0);
  await second.save();
  await expect.poll(async () => remoteFile(stage, branch, customers)).toContain('title: Buyers');
  await second.status(/in sync/).waitFor();
  await second.picture('sends');
  await page.close();
}
