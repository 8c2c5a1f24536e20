import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { journey, type Stage } from './journey.ts';
import { Keyboard } from './keyboard.ts';
import { devBranch, differences, remoteFile } from './platform-state.ts';

const orders = 'model/cubes/orders.yml';
const shared = 'pricing-experiments';
const settings = { 'files.autoSave': 'off' };
const cube = (name: string): string =>
  `cubes:\n  - name: ${name}\n    sql_table: customers\n    measures:\n      - name: count\n        type: count\n`;

describe('the first push', () => {
  it('needs no mouse, and every row says what it is', async () => {
    const options = { signedIn: true, branch: shared, platform: { faults: true }, host: { settings } };
    await journey('keyboard', options, async (stage) => {
      const keyboard = await Keyboard.of(stage.workbench.page);
      await startDevMode(stage, keyboard);
      await editAndSave(stage, keyboard);
      await pushWithPlan(stage, keyboard);
      await commit(stage, keyboard);
      expect(await keyboard.mouseEvents()).toBe(0);
    });
  });
});

async function startDevMode({ workbench }: Stage, keyboard: Keyboard): Promise<void> {
  await workbench.status('no dev branch').waitFor();
  await keyboard.focusView('Branches', workbench.view('Branches'));
  const row = await keyboard.goTo(workbench.view('Branches'), `${shared}, shared branch`);
  await workbench.picture('focused-branch');
  expect(await row.getAttribute('aria-label')).toMatch(/^pricing-experiments, shared branch, [\da-f]{7}$/);
  await keyboard.menu('Start Dev Mode…');
  await workbench.status(/dev-\S+ · ✓ · .*built/s).waitFor();
  await expect
    .poll(() => workbench.status(/dev-/).getAttribute('aria-label'))
    .toBe('Modelbench: deployment Shop analytics, branch dev-ada-1, in sync, built');
}

async function editAndSave(stage: Stage, keyboard: Keyboard): Promise<void> {
  const { workbench } = stage;
  await workbench.openFile('orders.yml');
  await workbench.page.locator('.editor-instance .monaco-editor.focused').first().waitFor();
  await keyboard.press('Control+End');
  await keyboard.type('# by keyboard\n');
  await workbench.save();
  await expect.poll(async () => remoteFile(stage, await devBranch(stage), orders)).toContain('# by keyboard');
}

/** 30 files under review, which has the focus: a tick is taken away with a key, and that file stays on the platform. */
async function pushWithPlan(stage: Stage, keyboard: Keyboard): Promise<void> {
  const { workbench, folder } = stage;
  const cubes = join(folder, 'model/cubes');
  mkdirSync(join(cubes, 'generated'));
  for (let at = 1; at <= 27; at += 1) writeFileSync(join(cubes, `generated/table_${at}.yml`), cube(`table_${at}`));
  writeFileSync(join(cubes, 'coupons.yml'), cube('coupons'));
  renameSync(join(cubes, 'suppliers.yml'), join(cubes, 'vendors.yml'));
  rmSync(join(cubes, 'returns.js'));
  await keyboard.run('Modelbench: Push Files to Dev Branch');
  const review = await workbench.reviewWith('model/cubes/coupons.yml, added');
  // The first file has the cursor: deletions come first.
  const row = review.locator('[role=treeitem][aria-selected=true][aria-label^="model/cubes/returns.js, deleted"]');
  await row.waitFor();
  await keyboard.press('Space');
  await row.and(review.locator('[aria-checked=false]')).waitFor();
  await review.getByRole('button', { name: /^Push 29 Files to dev-/ }).waitFor();
  await workbench.pictures('plan');
  await keyboard.press('Control+Enter');
  await workbench.message('Pushed 29 files').waitFor();
  expect(await differences(stage, await devBranch(stage))).toEqual(['model/cubes/returns.js']);
  await keyboard.focusView('Changes', workbench.view('Changes'));
  await keyboard.goTo(workbench.view('Changes'), 'model/cubes/returns.js, deleted');
  await workbench.picture('pushed');
}

/** What is not on the platform yet is said; the answer is a key as well. */
async function commit({ workbench, platform }: Stage, keyboard: Keyboard): Promise<void> {
  await keyboard.run('Modelbench: Commit');
  await workbench.dialogText.getByText('1 local change is not on the platform yet').waitFor();
  await workbench.picture('asked');
  const anyway = workbench.page.locator('.monaco-dialog-box a.monaco-button:focus', { hasText: 'Commit Without It' });
  for (let step = 0; step < 6 && !(await anyway.isVisible()); step += 1) await keyboard.press('Tab');
  await keyboard.press('Enter');
  await keyboard.answer(`The commit is pushed to “${shared}”`, 'Coupons by keyboard');
  await workbench.message(/Committed at/).waitFor();
  expect(await platform.control.git(1, 'log', '-1', '--format=%s', shared)).toBe('Coupons by keyboard\n');
}
