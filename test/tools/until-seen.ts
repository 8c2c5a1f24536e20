import type { Locator } from 'playwright-core';
import { longestWait } from './limits.ts';

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
