import type { Frame } from 'playwright-core';
import { expect } from 'vitest';
import type { Workbench } from './workbench.ts';

/**
 * The page of a step, once it shows this button and has the focus: in its list, in a message that is still to be written,
 * or in the sentence that no file differs.
 */
export async function stepPage({ page }: Workbench, button: string): Promise<Frame> {
  let found: Frame | undefined;
  await expect
    .poll(async () => {
      for (const frame of page.frames()) {
        const named = frame.getByRole('button', { name: button, exact: true });
        // A frame that is just being replaced has nothing to ask for.
        if ((await named.count().catch(() => 0)) > 0) found = frame;
      }
      return found !== undefined;
    })
    .toBe(true);
  if (!found) throw new Error(`no page has the button “${button}”`);
  await found.locator('[role=tree]:focus, textarea:focus, .empty:focus').first().waitFor();
  return found;
}

/** Waits until the step of a page can be carried out: a key that is pressed while it compares does nothing but say so. */
export async function readyPage(page: Frame): Promise<void> {
  await page.locator('.actions .primary:not([aria-disabled=true])').waitFor();
}
