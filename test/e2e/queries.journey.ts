import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Frame } from 'playwright-core';
import { expect } from 'vitest';
import { startDevModeOn } from './dev-mode.ts';
import type { Stage } from './journey.ts';
import { devBranch, remoteFile } from './platform-state.ts';
import { untilSeen } from './until.ts';
import type { Workbench } from './workbench.ts';

const built = /dev-\S+ · in sync · .*built/s;

/** The page of the playground; VS Code makes it again after it was hidden. */
export async function playground(workbench: Workbench): Promise<Frame> {
  return workbench.frameWith('#playground main');
}

const freight = '      - name: freight_total\n        type: sum\n        sql: shipping_cost';

/** Starts in a new window: a dev branch of production is active, and its scripts may run. */
export async function beginOnDevBranch({ workbench }: Stage): Promise<void> {
  await workbench.openContainer('Modelbench');
  await startDevModeOn(workbench, 'main');
  await workbench.status(built).waitFor();
  await workbench.run('Modelbench: Choose Whether JavaScript Models Run');
  await workbench.notificationButton(/has JavaScript files/, 'Run in the Sandbox');
}

/** Starts in a new window with a measure that production does not have. */
export async function beginWithMeasure(stage: Stage): Promise<void> {
  const { workbench } = stage;
  await beginOnDevBranch(stage);
  await workbench.openFile('orders.yml');
  await workbench.typeBelow(61, freight);
  await workbench.save();
  const branch = await devBranch(stage);
  await expect.poll(async () => remoteFile(stage, branch, 'model/cubes/orders.yml')).toContain('freight_total');
  await workbench.status(built).waitFor();
}

/** Starts in a new window with the measure in the playground, by the status of orders. */
export async function beginInPlayground(stage: Stage): Promise<void> {
  const { workbench, folder } = stage;
  await beginWithMeasure(stage);
  const query = 'query:\n  measures: [orders.freight_total]\n  dimensions: [orders.status]\n';
  mkdirSync(join(folder, 'queries'), { recursive: true });
  writeFileSync(join(folder, 'queries/freight.query.yml'), `title: Freight\n${query}`);
  await workbench.openFile('freight.query.yml');
  await workbench.lensAction(/^Run$/, workbench.tab('Playground').and(workbench.page.locator('.active')));
  const page = await playground(workbench);
  await page.getByRole('gridcell', { name: 'shipped' }).first().waitFor();
}

/**
 * A measure that was just written is seen as a bar chart after four actions: save, query, group, draw. A dev branch is active, and its
 * scripts may run.
 */
export async function seeMeasure({ workbench }: Stage): Promise<void> {
  await workbench.openFile('orders.yml');
  await workbench.typeBelow(61, freight);
  const actions: string[] = [];
  const act = async (what: string, done: Promise<unknown>): Promise<void> => {
    actions.push(what);
    await done;
  };
  await act('save', workbench.save());
  // Its name is in sight, with the cursor two lines below.
  const hover = workbench.page.locator('.monaco-hover:visible').getByText('Query This');
  await untilSeen(hover, async (timeout) =>
    workbench.page.locator('.view-lines').getByText('freight_total', { exact: true }).first().hover({ timeout }),
  );
  await workbench.picture('hover');
  await act(
    'Query This',
    untilSeen(workbench.tab('Playground'), async (timeout) => hover.click({ timeout })),
  );
  const page = await playground(workbench);
  // Its build has ended meanwhile, or ends now.
  await page.getByRole('button', { name: 'Remove orders.freight_total' }).waitFor();
  await act('group', page.getByRole('button', { name: 'dimension status' }).click());
  await act('Chart', page.getByRole('button', { name: 'Chart', exact: true }).click());
  await page.getByRole('img', { name: 'Bar chart of the rows' }).locator('.mark-rect path').first().waitFor();
  await workbench.picture('chart');
  expect(actions).toHaveLength(4);
}

/** The pane beside a model shows the SQL of the member that the cursor is in, and follows the cursor. */
export async function followSql({ workbench }: Stage): Promise<void> {
  await workbench.openFile('orders.yml');
  await workbench.replaceLine(62, '- name: freight_total');
  await workbench.run('Modelbench: Show SQL at Cursor');
  await workbench.tab('SQL at Cursor.sql').waitFor();
  const sql = workbench.page.locator('.monaco-editor[data-uri$="SQL%20at%20Cursor.sql"] .view-lines');
  await sql.getByText('shipping_cost').first().waitFor();
  await workbench.picture('sql');
  await workbench.replaceLine(58, '- name: count');
  await expect.poll(async () => sql.innerText()).not.toContain('shipping_cost');
  await expect.poll(async () => sql.innerText()).toMatch(/count\(/i);
  await workbench.picture('sql-of-another');
}

/** A test that is red shows what was expected and what came; once it is mended, it is green. */
export async function mendTest({ workbench, folder }: Stage): Promise<void> {
  const file = 'queries/stores.query.yml';
  const withRows = (count: number): string =>
    `title: Stores\nquery:\n  measures: [stores.count]\ntests:\n  - name: There is one row\n    rowCount: ${count}\n`;
  mkdirSync(join(folder, 'queries'), { recursive: true });
  writeFileSync(join(folder, file), withRows(3));
  const rows = workbench.page.locator('.test-explorer .monaco-list-row');
  await workbench.run('Testing: Focus on Test Explorer View');
  await rows.filter({ hasText: file }).waitFor();
  await workbench.run('Test: Run All Tests');
  const failed = rows.and(workbench.page.locator('[aria-label*="Failed"]'));
  await failed.first().waitFor();
  await workbench.openFile('stores.query.yml');
  await workbench.page.getByText('The number of rows is wrong.').first().waitFor();
  await workbench.pictures('test-red');
  await workbench.replaceLine(6, 'rowCount: 1');
  await workbench.save();
  await workbench.run('Test: Run All Tests');
  await rows.and(workbench.page.locator('[aria-label*="Passed"]')).first().waitFor();
  await failed.first().waitFor({ state: 'detached' });
  await workbench.picture('test-green');

  // Beside the folder, outside of the window: if the folder is a model itself, its queries are there.
  const beside = join(folder, '../queries', basename(folder));
  mkdirSync(beside, { recursive: true });
  writeFileSync(join(beside, 'beside.query.yml'), withRows(1));
  await rows.filter({ hasText: 'beside.query.yml' }).waitFor();
}
