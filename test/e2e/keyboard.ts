import type { Frame, Locator, Page } from 'playwright-core';
import { countUse } from './device-use.ts';
import { escape } from './escape.ts';
import { readyPage } from './step-page.ts';
import { untilDone } from './until.ts';

/** A user without a mouse: keys are all there is to act with, looking is done elsewhere. */
export class Keyboard {
  readonly #page: Page;
  readonly #clicks: () => number;

  private constructor(page: Page, clicks: () => number) {
    this.#page = page;
    this.#clicks = clicks;
  }

  static async of(page: Page): Promise<Keyboard> {
    return new Keyboard(page, await countUse(page, ['pointerdown', 'mousedown', 'wheel']));
  }

  /** How often a mouse button or wheel was used. */
  get clicks(): number {
    return this.#clicks();
  }

  async press(key: string): Promise<void> {
    await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.insertText(text);
  }

  /** Runs a command by its palette title. What takes the focus late closes the palette: it is opened again, as a user does. */
  async run(title: string): Promise<void> {
    const input = this.#page.locator('.quick-input-widget:visible input.input:focus');
    await untilDone(async (timeout) => {
      await this.press('F1');
      await input.waitFor({ timeout });
      await this.#find(title, timeout);
    });
    await this.press('Enter');
  }

  /** Types into the open list and takes the row that is then focused, which must be the one of this label. */
  async choose(label: string): Promise<void> {
    await this.#page.locator('.quick-input-widget:visible input.input:focus').waitFor();
    await this.#find(label);
    await this.press('Enter');
  }

  /** Types into the open list until the row of this label is the focused one. */
  async #find(label: string, timeout?: number): Promise<void> {
    const widget = this.#page.locator('.quick-input-widget:visible');
    await this.type(label);
    const name = this.#page.locator('.label-name').filter({ hasText: new RegExp(`^\\s*${escape(label)}…?\\s*$`) });
    const row = widget.locator('.monaco-list-row.focused').filter({ has: name });
    await row.waitFor(timeout === undefined ? {} : { timeout });
  }

  /** Goes from field to field until this one has the focus, backwards with Shift+Tab. */
  async tabTo(wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    const hasFocus = async (): Promise<boolean> =>
      wanted.evaluate((element) => element.contains(element.ownerDocument.activeElement));
    await wanted.waitFor();
    for (let step = 0; step < 30 && !(await hasFocus()); step += 1) await this.press(key);
    if (!(await hasFocus())) throw new Error('The field cannot be reached with Tab.');
  }

  /** Presses the button of a modal dialog. */
  async dialog(title: string): Promise<void> {
    const button = this.#page.locator('.monaco-dialog-box a.monaco-button', { hasText: title });
    await this.tabTo(button);
    await this.press('Enter');
  }

  /** Fills in the message of a page, which has the focus there, and the name that confirms the step; then carries it out. */
  async confirm(page: Frame, message: string, name?: string): Promise<void> {
    await this.fill(page.getByLabel('Message'), message);
    if (name !== undefined) await this.fill(page.getByLabel(`Type “${name}” to confirm`, { exact: true }), name, 'Tab');
    await readyPage(page);
    await this.press('Control+Enter');
  }

  /** Replaces the text of a field that is reached from the list of a page. */
  async fill(field: Locator, text: string, key: 'Tab' | 'Shift+Tab' = 'Shift+Tab'): Promise<void> {
    await this.tabTo(field, key);
    await this.press('Control+A');
    await this.type(text);
  }

  /**
   * Gives a view the focus, and goes down to the row whose label, as a screen reader says it, begins so. A tab that closes
   * late takes the focus for the editor behind it, and VS Code forgets it where rows come only later: then all is done again.
   */
  async goTo(name: string, view: Locator, label: string): Promise<Locator> {
    const row = view.locator(`.monaco-list-row[aria-label^="${label}"]`);
    const reached = row.and(view.locator('.monaco-list:focus-within .monaco-list-row.focused'));
    await untilDone(async (timeout) => {
      await this.run(`Modelbench: Focus on ${name} View`);
      await row.waitFor({ timeout });
      await view.locator('.monaco-list:focus').waitFor({ timeout });
      await this.#goDown(view, reached, timeout);
    });
    return reached;
  }

  async #goDown(view: Locator, reached: Locator, timeout: number): Promise<void> {
    await this.press('Home');
    const focused = view.locator('.monaco-list-row.focused');
    for (let step = 0; step < 50 && !(await reached.isVisible()); step += 1) {
      const before = await focused.getAttribute('data-index', { timeout });
      await this.press('ArrowDown');
      await view.locator(`.monaco-list-row.focused:not([data-index="${before}"])`).waitFor({ timeout });
    }
    await reached.waitFor({ timeout });
  }

  /** Chooses from the menu of what has the focus. */
  async menu(title: string): Promise<void> {
    const items = this.#page.locator('.monaco-menu .action-item');
    const wanted = items.filter({ hasText: title }).first().and(this.#page.locator('.focused'));
    // A view that is redrawn closes its menu: it is opened again, as a user does.
    await untilDone(async (timeout) => {
      await this.press('Shift+F10');
      await items.first().waitFor({ timeout });
      for (let step = 0; step < 40 && !(await wanted.isVisible()); step += 1) await this.press('ArrowDown');
      await wanted.waitFor({ timeout });
    });
    await this.press('Enter');
  }
}
