import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Stage } from './journey.ts';
import { expectUnused } from './device-use.ts';
import { manyChanges } from './many-changes.ts';
import { Mouse } from './mouse.ts';
import { devBranch, differences } from './platform-state.ts';

const orders = 'model/cubes/orders.yml';
/** What a journey before this one has left out of its push. */
const leftOut = 'model/cubes/returns.js';

/** A push without a key; files are changed by other programs. */
export async function byMouse(stage: Stage): Promise<void> {
  const mouse = await Mouse.of(stage.workbench.page);
  await stage.workbench.openContainer('Modelbench');
  await push(stage);
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
  expect(await differences(stage, await devBranch(stage))).toEqual([leftOut]);
}
