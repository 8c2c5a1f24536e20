import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { longestWait } from '../tools/limits.ts';
import { pressUntilGone, untilDone, untilSeen } from '../tools/until-seen.ts';

export { pressUntilGone, untilDone, untilSeen };

/** Clicks a row until what it opens is there. */
export async function clickUntilOpen(row: Locator, opened: Locator): Promise<void> {
  await untilSeen(opened, async (timeout) => {
    await row.click({ timeout }).catch(async (error: unknown) => {
      // A row with the button of a page is gone once the page is open, perhaps before the click has ended here.
      if (!(await opened.first().isVisible())) throw error;
    });
  });
}

/** Acts until what is asked is something else, or nothing. */
export async function untilAnswered(
  asked: () => Promise<string | undefined>,
  act: (timeout: number) => Promise<unknown>,
): Promise<void> {
  const before = await asked();
  await untilDone(async (timeout) => {
    if ((await asked()) === before) await act(timeout);
    await untilTrue(async () => (await asked()) !== before, Math.min(4 * timeout, longestWait));
  });
}

/** Whether something is there, or comes in time. */
export async function isThere(wanted: Locator, timeout: number): Promise<boolean> {
  return wanted.waitFor({ timeout }).then(
    () => true,
    () => false,
  );
}

/** Repeats a check until it holds. */
export async function untilTrue(look: () => Promise<boolean>, timeout = longestWait): Promise<void> {
  await expect.poll(look, { timeout }).toBe(true);
}
