import type { Frame, Locator, Page } from 'playwright-core';
import { countUse } from './device-use.ts';
import { untilSeen } from './until.ts';

/** A user who types texts but presses no key for anything else: every step is a click. */
export class Mouse {
  readonly #page: Page;
  readonly #keys: () => number;

  private constructor(page: Page, keys: () => number) {
    this.#page = page;
    this.#keys = keys;
  }

  static async of(page: Page): Promise<Mouse> {
    return new Mouse(page, await countUse(page, ['keydown']));
  }

  /** How often a key was pressed. */
  get keys(): number {
    return this.#keys();
  }

  /** Chooses from a row's context menu until what comes of it is there. VS Code ignores a click on a menu that has only just opened. */
  async menu(row: Locator, title: string | RegExp, outcome: Locator): Promise<void> {
    const item = this.#page.locator('.monaco-menu .action-item').filter({ hasText: title }).first();
    await untilSeen(outcome, async (timeout) => {
      await row.click({ button: 'right', timeout });
      await item.hover({ timeout });
      await item.and(this.#page.locator('.focused')).waitFor({ timeout });
      await item.click({ timeout });
    });
  }

  /** Fills in the message of a page and presses its button, once that can be used: it cannot while the page compares. */
  async confirm(page: Frame, button: string, message: string): Promise<void> {
    await page.getByLabel('Message').fill(message);
    await page.getByRole('button', { name: button, exact: true }).click();
  }

  /** Fills in the message of a page and presses its button although it cannot be used yet: then the page says why. */
  async confirmTooEarly(page: Frame, button: string, message: string): Promise<void> {
    await page.getByLabel('Message').fill(message);
    const pressed = page.getByRole('button', { name: button, exact: true });
    // The page may still move: the pointer goes to the button once it stands still, and nothing covers it.
    await pressed.hover();
    await pressed.click({ force: true });
  }
}
