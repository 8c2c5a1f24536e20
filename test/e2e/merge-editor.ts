import type { Locator } from 'playwright-core';
import { escape } from './escape.ts';
import { untilSeen } from './until.ts';
import type { Workbench } from './workbench.ts';

/** A pane of the merge editor, by its title. */
export function mergePane({ page }: Workbench, title: string): Locator {
  const name = page.locator('.title').filter({ hasText: new RegExp(`^${escape(title)}$`) });
  return page.locator('.merge-editor .code-view').filter({ has: name });
}

/** Chooses a side at the only place that both sides changed. */
export async function chooseSide(workbench: Workbench, title: string): Promise<void> {
  const choice = workbench.page.locator('.merge-editor').getByText(title, { exact: true }).first();
  const settled = mergePane(workbench, 'Result').getByText('0 Conflicts Remaining');
  await untilSeen(settled, async (timeout) => choice.click({ timeout }));
}
