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
  const isSeen = async (): Promise<boolean> => outcome.first().isVisible();
  // An act that took too long may have had its outcome, which covers what would be acted on again; one from before proves nothing.
  let provesAct = !(await isSeen());
  await untilDone(async (timeout) => {
    if (!provesAct || !(await isSeen())) await act(timeout);
    provesAct = true;
    await outcome.first().waitFor({ timeout: Math.min(4 * timeout, longestWait) });
  });
}

/** Presses a button that goes away when it has been pressed. */
export async function pressUntilGone(button: Locator): Promise<void> {
  let wasThere = false;
  await untilDone(async (timeout) => {
    if (!wasThere) await button.first().waitFor({ timeout });
    wasThere = true;
    if (await button.first().isVisible()) await button.click({ timeout });
    await button.first().waitFor({ state: 'hidden', timeout: Math.min(4 * timeout, longestWait) });
  });
}
