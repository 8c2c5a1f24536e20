import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { startDevModeOn } from './dev-mode.ts';
import { inOneWindow, type Stage } from './journey.ts';
import { devBranch, putFile, remoteFile } from './platform-state.ts';
import { untilDone, untilSeen } from './until.ts';

const orders = 'model/cubes/orders.yml';
const customers = 'model/cubes/customers.yml';
const shared = 'pricing-experiments';

describe('the views of a dev branch', () => {
  const settings = { 'files.autoSave': 'off', 'modelbench.scm.enabled': 'on' };
  const play = inOneWindow({ signedIn: true, platform: { faults: true }, host: { settings } });

  play(
    'Deployments, Branches, Changes and Source Control: filtered while typing, a change of every kind in four themes, its actions on its row',
    'development',
    developmentViews,
  );
});

/** Deployments, Branches, Changes and Source Control in four themes, with a change of every kind. */
async function developmentViews(stage: Stage): Promise<void> {
  await deployments(stage);
  await filterBranches(stage);
  await changeBothSides(stage);
  await everyWidth(stage);
  await sourceControl(stage);
}

/** The whole side bar, narrow, usual and wide. */
async function everyWidth({ workbench }: Stage): Promise<void> {
  for (const view of ['Changes', 'Branches', 'Deployments']) await workbench.openView(view);
  await workbench.row('Deployments', 'Shop analytics').waitFor();
  await workbench.sideBarPictures('side-bar');
}

async function deployments({ workbench }: Stage): Promise<void> {
  await workbench.openContainer('Modelbench');
  await workbench.widenSideBar(340);
  await workbench.openOnly('Deployments');
  await workbench.expand(workbench.row('Deployments', 'Production'), workbench.row('Deployments', 'REST API'));
  await workbench.sideBarPictures('deployments');
  await workbench.widenSideBar(340);
}

/** The list follows what is typed; Escape takes it back; where nothing is left, a button shows all again. */
async function filterBranches({ workbench }: Stage): Promise<void> {
  const main = workbench.row('Branches', 'main');
  const input = workbench.quickInput.locator('input.input');
  await workbench.openOnly('Branches');
  await main.waitFor();
  await workbench.run('Modelbench: Filter Branches');
  await input.fill('PRIC');
  await main.waitFor({ state: 'detached' });
  await workbench.row('Branches', shared).waitFor();
  await workbench.picture('filter');
  await workbench.page.keyboard.press('Escape');
  await main.waitFor();
  await workbench.run('Modelbench: Filter Branches');
  await input.fill('no such branch');
  await workbench.page.keyboard.press('Enter');
  const empty = workbench.view('Branches').getByText('No branch matches the filter.');
  await empty.waitFor();
  await workbench.pictures('filtered-empty');
  const clear = workbench.view('Branches').getByRole('button', { name: 'Clear Filter' });
  await untilSeen(main, async (timeout) => clear.click({ timeout }));
}

/** A file of each kind: changed on both sides, new here, gone here, changed there. */
async function changeBothSides(stage: Stage): Promise<void> {
  const { workbench, folder } = stage;
  await startDevModeOn(workbench, 'main');
  await workbench.status(/dev-\S+ · in sync · .*built/s).waitFor();
  await workbench.sideBarPictures('branches');
  await workbench.widenSideBar(340);
  const branch = await devBranch(stage);
  const theirs = async (path: string, from: string, to: string): Promise<void> =>
    putFile(stage, branch, path, ((await remoteFile(stage, branch, path)) ?? '').replace(from, to));
  await theirs(orders, 'title: Orders', 'title: Sales');
  await theirs(customers, 'title: Customers', 'title: Buyers');
  await workbench.openFile('orders.yml');
  await workbench.replaceLine(4, 'title: Deals');
  await workbench.save();
  writeFileSync(join(folder, 'model/cubes/coupons.yml'), 'cubes:\n  - name: coupons\n    sql_table: customers\n');
  rmSync(join(folder, 'model/cubes/returns.js'));
  await workbench.openOnly('Changes');
  for (const name of ['orders.yml', 'coupons.yml', 'returns.js', 'customers.yml']) {
    await workbench.row('Changes', name).waitFor();
  }
  // What happened to a file is read in a narrow side bar too: its folder comes last.
  const buttons = async (): Promise<readonly string[]> =>
    (await workbench.rows('Changes')).filter((row) => /^(Push|Commit|Pull) /.test(row));
  await expect
    .poll(buttons)
    .toEqual([`Push 2 Filesto ${branch}`, 'Commit to main2 files', `Pull 1 Filefrom ${branch}`]);
  await expect.poll(async () => workbench.rows('Changes')).toContain('returns.jsdeleted · model/cubes');
  await workbench.sideBarPictures('changes');
  await workbench.widenSideBar(340);
}

/** The same rows, with the same actions on them, where Git has no claim on the folder. */
async function sourceControl({ workbench }: Stage): Promise<void> {
  await workbench.openContainer('Source Control');
  const row = workbench.page.locator('.scm-view .monaco-list-row', { hasText: 'orders.yml' }).first();
  await untilDone(async (timeout) => {
    await row.hover({ timeout });
    for (const action of ['Resolve in Merge Editor', 'Mark Conflict as Resolved', 'Open File']) {
      await row.getByRole('button', { name: action }).waitFor({ timeout });
    }
  });
  await workbench.pictures('source-control');
}
