import type { FrameLocator } from 'playwright-core';
import { expect } from 'vitest';
import { untilSeen } from './until.ts';
import type { Workbench } from './workbench.ts';

/** *Ask the Agent* from an editor, by the quick fix of a problem. `orders.yml` is open. */
export async function askAboutEditor(workbench: Workbench, chat: FrameLocator): Promise<void> {
  const { page } = workbench;
  const attached = chat.getByRole('list', { name: 'Sent with the question' });
  const field = chat.getByRole('textbox', { name: 'Question for the agent' });
  const focused = page.locator('.editor-instance .monaco-editor.focused');
  const start = page.locator('[id="status.editor.selection"]').filter({ hasText: 'Ln 1, Col 1' });
  await untilSeen(focused, async () => workbench.run('View: Focus Active Editor Group'));
  await untilSeen(start, async () => page.keyboard.press('Control+Home'));
  await page.keyboard.insertText('titel: Orders\n');
  await workbench.problem(/titel/);
  await untilSeen(focused, async () => workbench.run('View: Focus Active Editor Group'));
  await untilSeen(start, async () => page.keyboard.press('Control+Home'));

  const fix = page.locator('.action-widget:visible').getByText('Ask the Agent to Fix This');
  await untilSeen(fix, async () => page.keyboard.press('Control+.'));
  await workbench.picture('ask-quick-fix');
  await fix.click();
  const ofProblem = attached.getByRole('button', { name: 'Remove Problem at model/cubes/orders.yml:1' });
  await ofProblem.waitFor();
  await expect.poll(async () => field.inputValue()).toBe('/fix ');
  await workbench.picture('asked-about-problem');
  await removeAll(chat);

  await untilSeen(focused, async () => workbench.run('View: Focus Active Editor Group'));
  await workbench.run('File: Revert File');
  await workbench.closePanel();
  await field.fill('');
}

/** Takes every attachment away again. */
async function removeAll(chat: FrameLocator): Promise<void> {
  const removes = chat.getByRole('list', { name: 'Sent with the question' }).getByRole('button', { name: /^Remove / });
  for (let left = await removes.count(); left > 0; left = await removes.count()) {
    // By keyboard: a message of the window may cover it.
    await removes.first().press('Enter');
    await expect.poll(async () => removes.count()).toBeLessThan(left);
  }
}
