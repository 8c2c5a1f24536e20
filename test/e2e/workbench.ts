import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Frame, FrameLocator, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { longestWait } from '../tools/limits.ts';
import { madeFor } from '../tools/readme-pictures.ts';
import { root } from '../tools/run.ts';
import type { VSCodeHost } from '../tools/vscode-host.ts';

export const themes = {
  light: 'Light 2026',
  dark: 'Dark 2026',
  'high contrast': 'Default High Contrast',
  'high contrast light': 'Default High Contrast Light',
} as const;

/** Classes that VS Code gives the window in each theme. */
const themeClasses = {
  light: 'vs',
  dark: 'vs-dark',
  'high contrast': 'hc-black',
  'high contrast light': 'hc-light',
} as const satisfies Readonly<Record<keyof typeof themes, string>>;

/** Settings under which typed text stays as it was typed. */
export const plainTyping: Readonly<Record<string, unknown>> = {
  'editor.autoIndent': 'none',
  'editor.autoClosingBrackets': 'never',
  'editor.autoClosingQuotes': 'never',
  'editor.quickSuggestions': { other: 'off', comments: 'off', strings: 'off' },
  'editor.suggestOnTriggerCharacters': false,
  'editor.acceptSuggestionOnEnter': 'off',
  // VS Code's own defaults for YAML would win otherwise.
  '[yaml]': { 'editor.autoIndent': 'none', 'editor.quickSuggestions': { other: 'off', strings: 'off' } },
};

/** Messages that come whenever an idle engine or a build gets to them, in the middle of whatever the user does. */
const comesInItsOwnTime = /^The model in .* has JavaScript files\.|^The build of “[^”]*” failed/;

/** VS Code's window as a user uses it: every method waits until what it names can be seen. */
export class Workbench {
  readonly page: Page;
  readonly #host: VSCodeHost;
  readonly #name: string;
  #pictures = 0;

  constructor(host: VSCodeHost, page: Page, name: string) {
    this.page = page;
    this.#host = host;
    this.#name = name;
  }

  /** Opens a window on `folder`; `name` is the folder of its pictures. */
  static async open(host: VSCodeHost, name: string, folder: string): Promise<Workbench> {
    const workbench = new Workbench(host, await host.open({ folder }), name);
    await workbench.ready();
    return workbench;
  }

  async ready(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.statusbar .statusbar-item').first().waitFor();
    // A container with one view shows no header of it.
    await this.page.locator('.part.sidebar .pane').first().waitFor();
  }

  /** Makes the side bar as wide as a user does who reads long rows. */
  async widenSideBar(width: number): Promise<void> {
    const bar = this.page.locator('.part.sidebar');
    const box = await bar.boundingBox();
    if (!box) throw new Error('there is no side bar');
    const edge = box.x + box.width;
    await this.page.mouse.move(edge, box.y + box.height / 2);
    await this.page.mouse.down();
    await this.page.mouse.move(box.x + width, box.y + box.height / 2, { steps: 4 });
    await this.page.mouse.up();
  }

  // Commands and questions

  /**
   * Runs a command by its palette title (`…` at its end may be left out), for example `Modelbench: Sign In`. What takes
   * the focus late closes the palette: it is opened again, as a user does.
   */
  async run(title: string): Promise<void> {
    await untilDone(async (timeout) => this.#runFromPalette(title, timeout));
    await this.#pointAtNothing();
  }

  async #runFromPalette(title: string, timeout: number): Promise<void> {
    // One that is still there lists what could be done when it was opened.
    if (await this.quickInput.isVisible()) await this.page.keyboard.press('Escape');
    await this.page.keyboard.press('F1');
    await this.quickInput.locator('input.input').fill(`>${title}`, { timeout });
    await this.option(new RegExp(`^\\s*${escape(title)}…?\\s*$`))
      .first()
      .click({ timeout });
  }

  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible');
  }

  /** A row of the open quick pick, by its whole label. */
  option(label: string | RegExp): Locator {
    const text = typeof label === 'string' ? new RegExp(`^\\s*${escape(label)}\\s*$`) : label;
    const name = this.page.locator('.monaco-icon-label-container .label-name').filter({ hasText: text });
    return this.quickInput.locator('.quick-input-list .monaco-list-row').filter({ has: name });
  }

  async pick(label: string | RegExp): Promise<void> {
    await this.option(label).first().click();
    await this.#pointAtNothing();
  }

  /** Where the pointer rests on what opens next, VS Code lays a hint over it after a while. */
  async #pointAtNothing(): Promise<void> {
    await this.page.mouse.move(0, 0);
  }

  /** Answers the open input box; `prompt` is part of what it asks. */
  async answer(prompt: string | RegExp, text: string): Promise<void> {
    await this.quickInput.filter({ hasText: prompt }).or(this.quickInputNamed(prompt)).first().waitFor();
    await this.quickInput.locator('input.input').fill(text);
    await this.page.keyboard.press('Enter');
  }

  private quickInputNamed(prompt: string | RegExp): Locator {
    return this.quickInput.filter({ has: this.page.getByPlaceholder(prompt) });
  }

  /** Presses a button of the modal dialog. */
  async dialog(button: string | RegExp): Promise<void> {
    await this.page.locator('.monaco-dialog-box').getByRole('button', { name: button }).click();
  }

  get dialogText(): Locator {
    return this.page.locator('.monaco-dialog-box .dialog-message-container');
  }

  // Views

  /** Shows a container of the activity bar. */
  async openContainer(name: string): Promise<void> {
    const label = new RegExp(`^${escape(name)}( \\(| - |$)`);
    const tab = this.page.locator('.part.activitybar .action-item').filter({
      has: this.page.getByRole('tab', { name: label }).or(this.page.getByLabel(label)),
    });
    await tab.first().waitFor();
    const open = this.page.locator('.part.sidebar .composite.title h2', {
      hasText: new RegExp(`^${escape(name)}(:|$)`, 'i'),
    });
    if ((await open.count()) === 0) await tab.first().click();
    await open.first().waitFor();
  }

  /** Shows the chat in its own container and gives the document inside. */
  async openChat(): Promise<FrameLocator> {
    await this.openContainer('Modelbench Chat');
    return this.webview();
  }

  /** A view of the side bar, by its title. */
  view(title: string): Locator {
    const header = this.page.locator(`.pane-header[aria-label^="${title}"]`);
    return this.page.locator('.part.sidebar .pane').filter({ has: header });
  }

  /** Waits for a review with a file, and until it has taken the focus: a palette that opens before would be closed by that. */
  async reviewWith(path: string): Promise<Frame> {
    const review = await this.frameWith('#review [role=tree]');
    await review.getByRole('treeitem', { name: path }).waitFor();
    await review.locator('[role=tree]:focus').waitFor();
    return review;
  }

  /** The document of a web page that has such an element. */
  async frameWith(selector: string): Promise<Frame> {
    return frameWith(this.page, selector);
  }

  /** Unfolds a view. */
  async openView(title: string): Promise<Locator> {
    const header = this.view(title).locator('.pane-header').first();
    await header.waitFor();
    if ((await header.getAttribute('aria-expanded')) !== 'true') await header.click();
    return this.view(title);
  }

  async closeView(title: string): Promise<void> {
    const header = this.view(title).locator('.pane-header').first();
    if ((await header.getAttribute('aria-expanded')) === 'true') await header.click();
  }

  /** Unfolds one view of the open container and folds all others. */
  async openOnly(title: string): Promise<void> {
    await this.openView(title);
    const open = this.page.locator('.part.sidebar .pane-header[aria-expanded="true"]');
    const others = open.and(this.page.locator(`:not([aria-label^="${title}"])`));
    while ((await others.count()) > 0) await others.first().click();
  }

  /** A row of a tree view, by its label. */
  row(view: string, label: string | RegExp): Locator {
    const text = typeof label === 'string' ? new RegExp(`^${escape(label)}$`) : label;
    const name = this.page.locator('.label-name').filter({ hasText: text });
    return this.view(view).locator('.monaco-list-row').filter({ has: name }).first();
  }

  /** A row by all that is spoken of it: several groups of a view may name the same file. */
  spokenRow(view: string, label: string): Locator {
    return this.view(view).locator(`.monaco-list-row[aria-label="${label}"]`);
  }

  async expand(row: Locator): Promise<void> {
    await row.waitFor();
    const expanded = row.and(this.page.locator('[aria-expanded="true"]'));
    await untilDone(async (timeout) => {
      if ((await row.getAttribute('aria-expanded')) === 'false') {
        await row.locator('.monaco-tl-twistie').click({ timeout });
      }
      await expanded.waitFor({ timeout });
    });
  }

  /**
   * Clicks a row until what it opens is there: a row that is redrawn under the pointer loses the click. What was opened late
   * is not clicked again, because the row may have another name by then.
   */
  async openRow(row: Locator, opened: Locator): Promise<void> {
    await untilDone(async (timeout) => {
      if (!(await opened.isVisible())) await row.click({ timeout });
      await opened.waitFor({ timeout });
    });
  }

  /** Presses an inline action of a row. A row that moves away from the pointer hides it: the row is pointed at again, as a user does. */
  async rowAction(row: Locator, title: string | RegExp): Promise<void> {
    const action = row.locator('.actions').getByRole('button', { name: title });
    await untilDone(async (timeout) => {
      await row.hover({ timeout });
      await action.click({ timeout });
    });
  }

  /**
   * Chooses from a row's context menu, with the keyboard: VS Code ignores a click on a menu that has only just opened. A
   * view that is redrawn closes its menu: it is opened again, as a user does.
   */
  async rowMenu(row: Locator, title: string | RegExp): Promise<void> {
    const item = this.page.locator('.monaco-menu .action-item').filter({ hasText: title }).first();
    await untilDone(async (timeout) => {
      await row.click({ button: 'right', timeout });
      await item.hover({ timeout });
      await item.and(this.page.locator('.focused')).waitFor({ timeout });
    });
    await this.page.keyboard.press('Enter');
  }

  /** The texts of the rows that a tree view shows. */
  async rows(view: string): Promise<readonly string[]> {
    const texts = await this.view(view).locator('.monaco-list-row').allInnerTexts();
    return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
  }

  /** Types into the empty input of Source Control, which keeps the focus. */
  async typeCommitMessage(text: string): Promise<void> {
    const input = this.page.locator('.scm-view .scm-editor');
    await untilDone(async (timeout) => {
      await input.click({ timeout });
      await input.locator('.monaco-editor.focused').waitFor({ timeout });
    });
    await this.page.keyboard.insertText(text);
    await input.locator('.view-line', { hasText: text }).waitFor();
  }

  // Editors

  /** Opens a file of the workspace by its name. */
  async openFile(name: string): Promise<void> {
    await this.page.keyboard.press('Control+P');
    await this.quickInput.locator('input.input').fill(name);
    const label = name.split('/').at(-1) ?? name;
    // Results come in waves: the list is still when the search is done.
    await this.quickInput.locator('.quick-input-progress.done').waitFor({ state: 'attached' });
    await this.option(label).and(this.page.locator('.focused')).waitFor();
    await this.page.keyboard.press('Enter');
    await this.page.locator(`.tabs-container .tab.active[aria-label^="${label}"]`).waitFor();
    // Its tab comes before its text: until then commands know another editor.
    const editor = this.page.locator(`.editor-group-container.active .monaco-editor[data-uri$="/${label}"]`);
    await editor.locator('.view-line').first().waitFor();
  }

  tab(name: string | RegExp): Locator {
    return this.page.locator('.tabs-container .tab').filter({ hasText: name });
  }

  /** Types new lines below a line (counted from 1) of the active editor. */
  async typeBelow(line: number, text: string): Promise<void> {
    await this.#goToEndOf(line);
    await this.page.keyboard.insertText(`\n${text}`);
  }

  /** Types another text into a line of the active editor; its indentation stays. */
  async replaceLine(line: number, text: string): Promise<void> {
    await this.#goToEndOf(line);
    await this.page.keyboard.press('Shift+Home');
    await this.page.keyboard.insertText(text);
  }

  async #goToEndOf(line: number): Promise<void> {
    await this.page.locator('.editor-instance .view-lines').first().click();
    await this.page.keyboard.press('Control+G');
    await this.quickInput.locator('input.input').fill(`:${line}`);
    await this.page.keyboard.press('Enter');
    await this.quickInput.waitFor({ state: 'hidden' });
    await this.page.locator('.editor-instance .monaco-editor.focused').first().waitFor();
    await this.#position(new RegExp(`^Ln ${line}, `));
    await this.page.keyboard.press('End');
    // The line is not empty, so its end is not where it begins.
    await this.#position(new RegExp(`^Ln ${line}, Col (?!1$)`));
  }

  /** Waits until the status bar shows the cursor there. */
  async #position(text: RegExp): Promise<void> {
    await this.page.locator('[id="status.editor.selection"]').filter({ hasText: text }).waitFor();
  }

  /** Saves the active editor and waits until it has no unsaved change. */
  async save(): Promise<void> {
    await this.page.keyboard.press('Control+S');
    // Of the group that has the focus: the shown tab of another one has nothing to save.
    await this.page.locator('.editor-group-container.active .tab.active:not(.dirty)').first().waitFor();
  }

  /** The lines that the active editor shows, from top to bottom. */
  async editorText(): Promise<string> {
    const shown = this.page.locator('.editor-instance .view-lines').first().locator('.view-line');
    const lines = await shown.evaluateAll((elements) =>
      elements
        .map((line) => ({ top: line.getBoundingClientRect().top, text: line.textContent ?? '' }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text),
    );
    return lines.join('\n').replaceAll('\u00a0', ' ');
  }

  /** A pane of the merge editor, by its title. */
  mergePane(title: string): Locator {
    const name = this.page.locator('.title').filter({ hasText: new RegExp(`^${escape(title)}$`) });
    return this.page.locator('.merge-editor .code-view').filter({ has: name });
  }

  /** What can be chosen above a place that both sides changed. */
  mergeChoice(title: string): Locator {
    return this.page.locator('.merge-editor').getByText(title, { exact: true }).first();
  }

  // What the window says

  /** The extension's status bar item, when its text matches. */
  status(text: string | RegExp): Locator {
    return this.page.locator('[id="modelbench.modelbench.status"]').filter({ hasText: text });
  }

  /** The passing message of the status bar that says what was done. */
  message(text: string | RegExp): Locator {
    return this.page.locator('[id="status.extensionMessage"]').filter({ hasText: text });
  }

  /** A notification that is shown now. */
  notification(text: string | RegExp): Locator {
    return this.page.locator('.notification-toast-container .notification-list-item').filter({ hasText: text });
  }

  /** The messages that what was done has shown: those that come in their own time are left out. */
  async notifications(): Promise<readonly string[]> {
    const messages = this.page.locator('.notification-toast-container .notification-list-item-message');
    return (await messages.allInnerTexts()).filter((message) => !comesInItsOwnTime.test(message));
  }

  async notificationButton(text: string | RegExp, button: string): Promise<void> {
    await this.notification(text).getByRole('button', { name: button }).click();
  }

  async clearNotifications(): Promise<void> {
    await this.run('Notifications: Clear All Notifications');
    // There may be several on their way out.
    await this.notification('').first().waitFor({ state: 'hidden' });
  }

  /** A row of the Problems view, which is opened. */
  async problem(text: string | RegExp): Promise<Locator> {
    const panel = this.page.locator('.markers-panel');
    if (!(await panel.isVisible())) await this.page.keyboard.press('Control+Shift+M');
    return panel.locator('.monaco-list-row').filter({ hasText: text }).first();
  }

  async closePanel(): Promise<void> {
    await this.page
      .locator('.part.panel')
      .getByRole('button', { name: /^Hide Panel/ })
      .click();
  }

  /** The document inside a webview; `title` is the webview's. */
  webview(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  async setTheme(theme: keyof typeof themes): Promise<void> {
    const file = join(this.#host.dataDir, 'data/Machine/settings.json');
    const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...settings, 'workbench.colorTheme': themes[theme] }));
    await this.page.locator(`.monaco-workbench.${themeClasses[theme]}`).waitFor();
  }

  /** The same picture in every theme; light is the last. */
  async pictures(name: string): Promise<void> {
    for (const theme of ['dark', 'high contrast', 'light'] as const) {
      await this.setTheme(theme);
      await this.picture(`${name}-${theme.replace(' ', '-')}`);
    }
  }

  /** The open view of the side bar at three widths, each in four themes; light is the last. */
  async sideBarPictures(name: string): Promise<void> {
    for (const width of [200, 300, 450]) {
      await this.widenSideBar(width);
      for (const theme of ['dark', 'high contrast', 'high contrast light', 'light'] as const) {
        await this.setTheme(theme);
        await this.picture(`${name}-${width}-${theme.replaceAll(' ', '-')}`);
      }
    }
  }

  /** Keeps a picture of the window under `test-results/`. */
  async picture(name: string): Promise<void> {
    this.#pictures += 1;
    const number = String(this.#pictures).padStart(2, '0');
    await this.#keep(join(root, 'test-results', this.#name, `${number}-${name}.png`));
  }

  /** Keeps a picture that README.md shows; `node test/tools/readme-pictures.ts` puts it there. */
  async readmePicture(name: string): Promise<void> {
    await this.picture(name);
    // Questions that come in their own time cover what the picture is of.
    await this.#keep(join(madeFor, `${name}.png`), '.notifications-toasts { visibility: hidden !important }');
  }

  async #keep(path: string, style = ''): Promise<void> {
    mkdirSync(dirname(path), { recursive: true });
    await this.page.screenshot({ path, animations: 'disabled', style });
  }
}

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

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

async function frameWith(page: Page, selector: string): Promise<Frame> {
  const found: Frame[] = [];
  const search = async (): Promise<boolean> => {
    for (const frame of page.frames()) {
      // A frame that is just being replaced has nothing to ask for.
      const count = await frame
        .locator(selector)
        .count()
        .catch(() => 0);
      if (count > 0) found.push(frame);
    }
    return found.length > 0;
  };
  await expect.poll(search).toBe(true);
  const [frame] = found;
  if (!frame) throw new Error(`no web page has ${selector}`);
  return frame;
}
