import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Stage } from './journey.ts';
import { expectUnused } from './device-use.ts';
import { Keyboard } from './keyboard.ts';
import { devBranch, differences, lastOn, remoteFile } from './platform-state.ts';
import { readyPage, stepPage } from './step-page.ts';
import { cube, manyChanges } from './many-changes.ts';

const orders = 'model/cubes/orders.yml';
const shared = 'pricing-experiments';

/** From a branch without dev mode to production without a mouse; every row says what it is. */
export async function byKeyboard(stage: Stage): Promise<void> {
  const keyboard = await Keyboard.of(stage.workbench.page);
  await startDevMode(stage, keyboard);
  await editAndSave(stage, keyboard);
  await pushWithPlan(stage, keyboard);
  await commit(stage, keyboard, 'Coupons by keyboard');
  await expect.poll(async () => lastOn(stage, shared)).toBe('Coupons by keyboard\n');
  await finishRefusedCommit(stage, keyboard);
  await mergeToProduction(stage, keyboard);
  expectUnused(keyboard.clicks);
}

async function startDevMode({ workbench }: Stage, keyboard: Keyboard): Promise<void> {
  await workbench.status('no dev branch').waitFor();
  const row = await keyboard.goTo('Branches', workbench.view('Branches'), `${shared}, shared branch`);
  await workbench.picture('focused-branch');
  await expect
    .poll(async () => row.getAttribute('aria-label'))
    .toMatch(/^pricing-experiments, shared branch, [\da-f]{7}$/);
  await keyboard.menu('Start Dev Mode…');
  await workbench.status(/dev-\S+ · in sync · .*built/s).waitFor();
  await expect
    .poll(() => workbench.status(/dev-/).getAttribute('aria-label'))
    .toBe('Modelbench: deployment Shop analytics, branch dev-ada-1, in sync, built');
}

async function editAndSave(stage: Stage, keyboard: Keyboard): Promise<void> {
  const { workbench } = stage;
  await openOrders(stage);
  await keyboard.press('Control+End');
  await keyboard.type('# by keyboard\n');
  await workbench.save();
  await expect.poll(async () => remoteFile(stage, await devBranch(stage), orders)).toContain('# by keyboard');
}

async function openOrders({ workbench }: Stage): Promise<void> {
  await workbench.openFile('orders.yml');
  await workbench.page.locator('.editor-instance .monaco-editor.focused').first().waitFor();
}

/** 30 files under review, which has the focus: a tick is taken away with a key, and that file stays on the platform. */
async function pushWithPlan(stage: Stage, keyboard: Keyboard): Promise<void> {
  const { workbench, folder } = stage;
  manyChanges(stage, { prefix: 'table', renamed: ['suppliers.yml', 'vendors.yml'], deleted: 'returns.js' });
  writeFileSync(join(folder, 'model/cubes/coupons.yml'), cube('coupons'));
  await keyboard.run('Modelbench: Push Files to Dev Branch');
  const review = await workbench.reviewWith('model/cubes/coupons.yml, added');
  // The first file has the cursor: deletions come first.
  const row = review.locator('[role=treeitem][aria-selected=true][aria-label^="model/cubes/returns.js, deleted"]');
  await row.waitFor();
  await keyboard.press('Space');
  await row.and(review.locator('[aria-checked=false]')).waitFor();
  await review.getByRole('button', { name: /^Push 29 Files to dev-/ }).waitFor();
  await workbench.pictures('plan');
  await readyPage(review);
  await keyboard.press('Control+Enter');
  await workbench.message('Pushed 29 files').waitFor();
  await expect.poll(async () => differences(stage, await devBranch(stage))).toEqual(['model/cubes/returns.js']);
  await keyboard.goTo('Changes', workbench.view('Changes'), 'model/cubes/returns.js, deleted');
  await workbench.picture('pushed');
}

/** What is not on the platform yet is reported; the answer is a key as well. */
async function commit(stage: Stage, keyboard: Keyboard, message: string): Promise<void> {
  const { workbench } = stage;
  await sendCommit(stage, keyboard, message);
  await workbench.message(/Committed at/).waitFor();
}

async function sendCommit({ workbench }: Stage, keyboard: Keyboard, message: string): Promise<void> {
  await keyboard.run('Modelbench: Commit');
  await workbench.dialogText.getByText('1 local change is not on the platform yet').waitFor();
  await workbench.picture('asked');
  await keyboard.dialog('Commit Without It');
  const page = await stepPage(workbench, `Commit to ${shared}`);
  await page.getByRole('treeitem', { name: `${orders}, modified` }).waitFor();
  // The message has the focus: what is typed goes there.
  await page.locator('textarea:focus').waitFor();
  await keyboard.type(message);
  await workbench.picture('commit');
  await readyPage(page);
  await keyboard.press('Control+Enter');
}

/** A colleague has changed the same line: the commit is refused, and continues with its message once the conflict is resolved. */
async function finishRefusedCommit(stage: Stage, keyboard: Keyboard): Promise<void> {
  const { workbench, platform } = stage;
  const text = (await platform.control.readFile(1, shared, orders)) ?? '';
  const theirs = text.replace('# by keyboard', '# by a colleague');
  await platform.control.colleagueCommit(1, shared, { [orders]: theirs });
  await openOrders(stage);
  await keyboard.press('Control+End');
  await keyboard.press('ArrowUp');
  await keyboard.press('End');
  await keyboard.type(', twice');
  await workbench.save();
  await expect.poll(async () => remoteFile(stage, await devBranch(stage), orders)).toContain('# by keyboard, twice');
  await sendCommit(stage, keyboard, 'Twice by keyboard');
  await workbench.notification(/moved on/).waitFor();
  await keyboard.run('Modelbench: Continue Commit, Pull or Merge');
  await workbench.notification(/Git conflict in 1 file/).waitFor();
  await keyboard.goTo('Changes', workbench.view('Changes'), `${orders}, changed on ${shared} too`);
  await workbench.picture('conflict');
  await keyboard.menu('Keep Local Version');
  await workbench.status(/continue the commit/).waitFor();
  // The file that stays out is not asked about again.
  await keyboard.run('Modelbench: Continue Commit, Pull or Merge');
  await expect.poll(async () => lastOn(stage, shared)).toBe('Twice by keyboard\n');
  await expect.poll(async () => platform.control.readFile(1, shared, orders)).toContain('# by keyboard, twice');
}

/** The page says what production gets and whom it affects. */
async function mergeToProduction(stage: Stage, keyboard: Keyboard): Promise<void> {
  const { workbench } = stage;
  await workbench.status(/· .*built/s).waitFor();
  await keyboard.run('Modelbench: Merge to Default Branch');
  await keyboard.dialog('Merge Without It');
  const page = await stepPage(workbench, 'Merge into main (production)');
  await page.getByText(/^Impact/).waitFor();
  await keyboard.fill(page.getByLabel('Message'), 'Coupons for all');
  await workbench.picture('merge');
  await readyPage(page);
  await keyboard.press('Control+Enter');
  await expect.poll(async () => lastOn(stage, 'main')).toBe('Coupons for all\n');
  // What was offered on the way is no longer to be done, and must not be taken for what the next journey waits for.
  await keyboard.run('Notifications: Clear All Notifications');
  await workbench.notification('').first().waitFor({ state: 'hidden' });
}
