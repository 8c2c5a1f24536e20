import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Stage } from './journey.ts';
import { chooseSide, mergePane } from './merge-editor.ts';
import { expectUnused } from './device-use.ts';
import { manyChanges } from './many-changes.ts';
import { Mouse } from './mouse.ts';
import { devBranch, differences, lastOn } from './platform-state.ts';
import { stepPage } from './step-page.ts';
import { pressUntilGone, untilSeen } from './until.ts';

const orders = 'model/cubes/orders.yml';
const shared = 'pricing-experiments';
/** What a journey before this one has left out of its push. */
const leftOut = 'model/cubes/returns.js';

/** From a dev branch to production without a key; files are changed by other programs, and texts are inserted. */
export async function byMouse(stage: Stage): Promise<void> {
  const mouse = await Mouse.of(stage.workbench.page);
  await stage.workbench.openContainer('Modelbench');
  await push(stage);
  await finishRefusedCommit(stage, mouse);
  await mergeToProduction(stage, mouse);
  expectUnused(mouse.keys);
}

/** 30 files: the row that names them leads to the page, where a tick is set and taken away. */
async function push(stage: Stage): Promise<void> {
  const { workbench, folder } = stage;
  const names = { prefix: 'sheet', renamed: ['coupons.yml', 'vouchers.yml'], deleted: 'table/table_1.yml' } as const;
  manyChanges(stage, names);
  const text = readFileSync(join(folder, orders), 'utf8');
  writeFileSync(join(folder, orders), text.replace(/# by keyboard.*/, '# by mouse'));
  await workbench.openRow(workbench.row('Changes', 'Push 31 Files'), workbench.tab(/^Push to dev-/));
  const review = await workbench.reviewWith('model/cubes/vouchers.yml, renamed from model/cubes/coupons.yml');
  await review.getByRole('treeitem', { name: 'model/cubes/table/table_1.yml, deleted' }).waitFor();
  const tick = review.getByRole('treeitem', { name: `${leftOut}, deleted` }).locator('.tick');
  await tick.click();
  await review.getByRole('button', { name: /^Push 31 Files to dev-/ }).waitFor();
  await tick.click();
  await workbench.picture('plan');
  await review.getByRole('button', { name: /^Push 30 Files to dev-/ }).click();
  await workbench.message('Pushed 30 files').waitFor();
  await expect.poll(async () => differences(stage, await devBranch(stage))).toEqual([leftOut]);
}

async function finishRefusedCommit(stage: Stage, mouse: Mouse): Promise<void> {
  const { workbench, platform } = stage;
  const text = (await platform.control.readFile(1, shared, orders)) ?? '';
  const theirs = text.replace(/# by keyboard.*/, '# by a colleague again');
  await platform.control.colleagueCommit(1, shared, { [orders]: theirs });
  const button = `Commit to ${shared}`;
  await workbench.openRow(workbench.row('Changes', button), workbench.dialogText);
  await workbench.dialog('Commit Without It');
  await mouse.confirm(await stepPage(workbench, button), button, 'Sheets by mouse');
  await workbench.notificationButton(/moved on/, 'Pull and Continue');
  await workbench.notificationButton(/Git conflict in 1 file/, 'Show Conflicts');
  await mergePane(workbench, shared).getByText('its version on the platform').waitFor();
  await chooseSide(workbench, 'Accept Local');
  await workbench.picture('conflict');
  const titleActions = workbench.page.locator('.editor-actions');
  const resolve = titleActions.getByRole('button', { name: 'Mark Conflict as Resolved' });
  await untilSeen(workbench.dialogText, async (timeout) => resolve.click({ timeout }));
  await workbench.dialog('Keep Mine');
  // The file that stays out is not asked about again.
  await pressUntilGone(workbench.status(/continue the commit/));
  await expect.poll(async () => lastOn(stage, shared)).toBe('Sheets by mouse\n');
  await expect.poll(async () => platform.control.readFile(1, shared, orders)).toContain('# by mouse');
}

async function mergeToProduction(stage: Stage, mouse: Mouse): Promise<void> {
  const { workbench } = stage;
  await workbench.status(/· .*built/s).waitFor();
  const row = workbench.row('Branches', await devBranch(stage));
  await mouse.menu(row, 'Merge to Default Branch…', workbench.dialogText);
  await workbench.dialog('Merge Without It');
  const button = 'Merge into main (production)';
  const page = await stepPage(workbench, button);
  await page.getByText(/^Impact/).waitFor();
  await mouse.confirm(page, button, 'Sheets for all');
  await expect.poll(async () => lastOn(stage, 'main')).toBe('Sheets for all\n');
}
