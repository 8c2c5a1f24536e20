import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { longestWait } from '../tools/limits.ts';

/**
 * Does again what VS Code may lose, because it draws a view again or moves the focus, until it is done. Each attempt has
 * twice the time of the one before: however slow the window is, one is long enough.
 */
export async function untilDone(attempt: (timeout: number) => Promise<void>): Promise<void> {
  for (let timeout = 5000; timeout < longestWait; timeout *= 2) {
    const isDone = await attempt(timeout).then(
      () => true,
      () => false,
    );
    if (isDone) return;
  }
  await attempt(longestWait);
}

/**
 * Acts until the outcome is there. The outcome is what VS Code shows at once, as a question or another editor, so that what
 * is only slow is not done twice.
 */
export async function untilSeen(outcome: Locator, act: (timeout: number) => Promise<unknown>): Promise<void> {
  let hasActed = false;
  await untilDone(async (timeout) => {
    if (!hasActed || !(await outcome.first().isVisible())) await act(timeout);
    hasActed = true;
    await outcome.first().waitFor({ timeout: Math.min(4 * timeout, longestWait) });
  });
}

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

/** Presses a button that goes away when it has been pressed. */
export async function pressUntilGone(button: Locator): Promise<void> {
  let hasPressed = false;
  await untilDone(async (timeout) => {
    if (!hasPressed || (await button.first().isVisible())) await button.click({ timeout });
    hasPressed = true;
    await button.first().waitFor({ state: 'hidden', timeout: Math.min(4 * timeout, longestWait) });
  });
}

/** Whether something is there, or comes in time. */
export async function isThere(wanted: Locator, timeout: number): Promise<boolean> {
  return wanted.waitFor({ timeout }).then(
    () => true,
    () => false,
  );
}

/** Looks again and again until something is so. */
export async function untilTrue(look: () => Promise<boolean>, timeout = longestWait): Promise<void> {
  await expect.poll(look, { timeout }).toBe(true);
}
