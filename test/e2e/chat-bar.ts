import type { Locator, Page } from 'playwright-core';
import { pressUntilGone } from './until.ts';

/** The title of the secondary side bar while it shows the chat. */
export function chatBar(page: Page): Locator {
  return page.locator('.part.auxiliarybar .composite.title', { hasText: 'Modelbench Chat' });
}

/** Hides the secondary side bar with its own button. */
export async function closeChat(page: Page): Promise<void> {
  await pressUntilGone(page.locator('.part.auxiliarybar').getByRole('button', { name: /^Hide Secondary Side Bar/ }));
  // The button of what comes in its place would show its hint over the page.
  await page.mouse.move(0, 0);
}
