import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { startDevModeOn } from './dev-mode.ts';
import type { Stage } from './journey.ts';
import { chooseSide, mergePane } from './merge-editor.ts';
import { devBranch, differences, putFile, remoteFile } from './platform-state.ts';
import { pressUntilGone } from './until.ts';
import type { Workbench } from './workbench.ts';

const orders = 'model/cubes/orders.yml';
const customers = 'model/cubes/customers.yml';

/** The row of a file in conflict: it is among those to commit as well. */
const conflict = (workbench: Workbench, path: string): Locator =>
  workbench.spokenRow('Changes', `${path}, changed on both sides`);

/** Files that changed on both sides, with base, platform and local in view. A dev branch of production is active. */
export async function mergeConflicts(stage: Stage): Promise<void> {
  await changeBothSides(stage);
  await leaveWithoutChoice(stage);
  await mergeAndComplete(stage);
  await mergeTheNext(stage);
  const said = await stage.workbench.notifications();
  // Where VS Code did not bring its editor back, the user reads what became of the merge.
  expect(said.filter((text) => text !== undone)).toEqual([]);
}

const undone = 'The merge of “customers.yml” was interrupted. Your version is back in the file.';

/** Starts a dev branch of production in a new window. */
export async function startDevMode({ workbench }: Stage): Promise<void> {
  await workbench.openContainer('Modelbench');
  await workbench.widenSideBar(400);
  await startDevModeOn(workbench, 'main');
  await workbench.status(/dev-\S+ · in sync/).waitFor();
  await workbench.closeView('Deployments');
}

async function changeBothSides(stage: Stage): Promise<void> {
  const { workbench } = stage;
  const branch = await devBranch(stage);
  const theirs = async (path: string, change: (text: string) => string): Promise<void> => {
    await putFile(stage, branch, path, change((await remoteFile(stage, branch, path)) ?? ''));
  };
  await theirs(orders, (text) =>
    text.replace('title: Orders', 'title: Sales').replace('type: number', 'type: number # key'),
  );
  await theirs(customers, (text) => text.replace('title: Customers', 'title: Buyers'));
  for (const [name, title] of [
    ['orders.yml', 'title: Deals'],
    ['customers.yml', 'title: Clients'],
  ] as const) {
    await workbench.openFile(name);
    await workbench.replaceLine(4, title);
    await workbench.save();
  }
  await workbench.status('⚠2').waitFor();
  await conflict(workbench, orders).waitFor();
  await workbench.openContainer('Source Control');
  await workbench.page.locator('.scm-view .monaco-list-row', { hasText: 'orders.yml' }).first().waitFor();
  await workbench.picture('source-control');
  await workbench.openContainer('Modelbench');
}

/** Looking costs nothing, not even with the window gone in between: the file is again as it was. */
async function leaveWithoutChoice({ workbench, folder }: Stage): Promise<void> {
  const before = readFileSync(join(folder, customers), 'utf8');
  await workbench.openRow(
    conflict(workbench, customers),
    mergePane(workbench, 'Result').getByText('1 Conflict Remaining'),
  );
  await workbench.page.reload();
  await workbench.ready();
  await workbench.openContainer('Modelbench');
  await workbench.status('⚠2').waitFor();
  // VS Code brings its editor back or, when it had no time to take note of it, does not: the file is undone either way.
  if (await workbench.tab('Merging: customers.yml').isVisible()) {
    await workbench.showTab('Merging: customers.yml');
    await mergePane(workbench, 'Result').getByText('1 Conflict Remaining').click();
    await workbench.run('View: Close Editor');
    await workbench.dialog('Close with Conflicts');
  }
  await workbench.tab('Merging: customers.yml').waitFor({ state: 'detached' });
  await expect.poll(() => readFileSync(join(folder, customers), 'utf8')).toBe(before);
  await conflict(workbench, customers).waitFor();
}

/** VS Code's own way to its end, then ours: what both want is on the platform. */
async function mergeAndComplete(stage: Stage): Promise<void> {
  const { workbench } = stage;
  const branch = await devBranch(stage);
  await workbench.openRow(conflict(workbench, orders), mergePane(workbench, 'Platform').getByText(branch));
  await mergePane(workbench, 'Local').getByText('this folder').waitFor();
  await mergePane(workbench, 'Result').getByText('1 Conflict Remaining').waitFor();
  await workbench.pictures('merge-editor');
  await chooseSide(workbench, 'Accept Local');
  await workbench.picture('accepted');
  await workbench.run('Merge Editor: Complete Merge');
  await workbench.notification(/Is the merge of “orders\.yml” finished/).waitFor();
  await workbench.picture('completed');
  await expect.poll(async () => remoteFile(stage, branch, orders)).toContain('title: Sales');
  await workbench.notificationButton(/Is the merge/, 'Mark as Resolved');
  await workbench.status('⚠1').waitFor();
  const merged = await remoteFile(stage, branch, orders);
  expect(merged).toContain('title: Deals');
  expect(merged).toContain('type: number # key');
}

/** On with the next: the status bar leads to it, and the editor's own title has the way out. */
async function mergeTheNext(stage: Stage): Promise<void> {
  const { workbench } = stage;
  const branch = await devBranch(stage);
  await workbench.statusAction('⚠1', mergePane(workbench, 'Result'));
  await chooseSide(workbench, 'Accept Platform');
  const titleActions = workbench.page.locator('.editor-actions');
  await pressUntilGone(titleActions.getByRole('button', { name: 'Mark Conflict as Resolved' }));
  await workbench.tab(/^Merging/).waitFor({ state: 'detached' });
  await workbench.status(/ in sync /).waitFor();
  await expect.poll(async () => differences(stage, branch)).toEqual([]);
  await expect.poll(async () => remoteFile(stage, branch, customers)).toContain('title: Buyers');
  await workbench.statusAction(/ in sync · .*built/s, workbench.option(/Commit…/));
  await workbench.pictures('menu');
  await workbench.page.keyboard.press('Escape');
}
