import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Frame, FrameLocator, Locator, Page } from 'playwright-core';
import { longestWait } from '../tools/limits.ts';
import { madeFor } from '../tools/readme-pictures.ts';
import { root } from '../tools/run.ts';
import { drawn, type VSCodeHost } from '../tools/vscode-host.ts';
import { chatBar } from './chat-bar.ts';
import { escape } from './escape.ts';
import { frameWith, textIn } from './frames.ts';
import { PassingMessage } from './passing-message.ts';
import { themeClasses, themes } from './window-themes.ts';
import { isThere, pressUntilGone, untilDone, untilAnswered, clickUntilOpen, untilSeen } from './until.ts';

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

const dialogText = '.monaco-dialog-box .dialog-message-container';

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
    if (Math.abs(box.width - width) < 1) return;
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
    const input = this.quickInput.locator('input.input');
    await input.fill(`>${title}`, { timeout });
    const row = this.option(new RegExp(`^\\s*${escape(title)}…?\\s*$`)).first();
    await row.click({ timeout });
    // The palette is gone, or asks something else: the click was not lost.
    await row.waitFor({ state: 'hidden', timeout });
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

  /** Takes a row of the open quick pick, which closes it or leads to the next question. */
  async pick(label: string | RegExp): Promise<void> {
    const row = this.option(label).first();
    await row.waitFor();
    const asked = async (): Promise<string | undefined> => this.#question();
    await untilAnswered(asked, async (timeout) => row.click({ timeout }));
    await this.#pointAtNothing();
  }

  /** Ticks a row of a quick pick in which several can be chosen; `open` opens it again where something took its focus. */
  async tick(label: string | RegExp, open?: () => Promise<void>): Promise<void> {
    const row = this.option(label).first();
    const ticked = this.page.locator('[aria-checked="true"]');
    const shown = async (): Promise<unknown> => (await row.isVisible()) || open?.();
    const click = async (timeout: number): Promise<void> => shown().then(async () => row.click({ timeout }));
    await untilSeen(row.and(ticked).or(row.locator(ticked)), click);
  }

  /** Answers the quick pick in which several were ticked. */
  async confirmTicked(): Promise<void> {
    await pressUntilGone(this.quickInput.getByRole('button', { name: 'OK' }));
  }

  /** Presses a button of the open question until what comes of it is there. */
  async questionButton(name: string, outcome: Locator): Promise<void> {
    await untilSeen(outcome, async (timeout) => this.quickInput.getByRole('button', { name }).click({ timeout }));
  }

  /** What the open quick pick or input box asks; `undefined` where none is open. */
  async #question(): Promise<string | undefined> {
    return this.page.evaluate(() => {
      const widget = [...document.querySelectorAll<HTMLElement>('.quick-input-widget')].find(
        ({ style }) => style.display !== 'none',
      );
      const input = widget?.querySelector<HTMLInputElement>('input.input');
      return widget && [widget.querySelector('.quick-input-title')?.textContent, input?.placeholder].join('\n');
    });
  }

  /** Where the pointer rests on what opens next, VS Code lays a hint over it after a while. */
  async #pointAtNothing(): Promise<void> {
    await this.page.mouse.move(0, 0);
  }

  /** Answers the open input box; `prompt` is part of what it asks. */
  async answer(prompt: string | RegExp, text: string): Promise<void> {
    await this.quickInput
      .filter({ hasText: prompt })
      .or(this.quickInput.filter({ has: this.page.getByPlaceholder(prompt) }))
      .first()
      .waitFor();
    const input = this.quickInput.locator('input.input');
    await input.fill(text);
    await input.press('Enter');
  }

  /** Presses a button of the modal dialog. */
  async dialog(button: string | RegExp): Promise<void> {
    await this.dialogText.waitFor();
    const answer = this.page.locator('.monaco-dialog-box').getByRole('button', { name: button });
    const asked = async (): Promise<string | undefined> => textIn(this.page, dialogText);
    await untilAnswered(asked, async (timeout) => answer.click({ timeout }));
  }

  get dialogText(): Locator {
    return this.page.locator(dialogText);
  }

  // Views

  /** Shows a container of the activity bar. */
  async openContainer(name: string): Promise<void> {
    const label = new RegExp(`^${escape(name)}( \\(| - |$)`);
    const named = this.page.getByRole('tab', { name: label }).or(this.page.getByLabel(label));
    const tab = this.page.locator('.part.activitybar .action-item').filter({ has: named });
    const open = this.page.locator('.part.sidebar .composite.title h2', {
      hasText: new RegExp(`^${escape(name)}(:|$)`, 'i'),
    });
    await tab.first().waitFor();
    await untilDone(async (timeout) => {
      if ((await open.count()) === 0) await tab.first().click({ timeout });
      await open.first().waitFor({ timeout });
    });
  }

  /** Shows the chat in the secondary side bar and gives the document inside. */
  async openChat(): Promise<FrameLocator> {
    await this.run('Modelbench Chat: Open Chat');
    await chatBar(this.page).waitFor();
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
    await this.#foldView(title, 'true');
    return this.view(title);
  }

  async closeView(title: string): Promise<void> {
    await this.#foldView(title, 'false');
  }

  async #foldView(title: string, isExpanded: 'true' | 'false'): Promise<void> {
    const header = this.view(title).locator('.pane-header').first();
    await header.waitFor();
    await untilDone(async (timeout) => {
      if ((await header.getAttribute('aria-expanded')) !== isExpanded) await header.click({ timeout });
      await header.and(this.page.locator(`[aria-expanded="${isExpanded}"]`)).waitFor({ timeout });
    });
  }

  /** Unfolds one view of the open container and folds all others. */
  async openOnly(title: string): Promise<void> {
    const open = this.page.locator('.part.sidebar .pane-header[aria-expanded="true"]');
    const others = open.and(this.page.locator(`:not([aria-label^="${title}"])`));
    await this.openView(title);
    await untilDone(async (timeout) => {
      while ((await others.count()) > 0) await others.first().click({ timeout });
    });
    await this.openView(title);
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

  /**
   * Unfolds a row until a row below it is there. A view that is redrawn meanwhile may fold the row again, or leave it
   * unfolded and empty: it is folded and unfolded again, as a user does.
   */
  async expand(row: Locator, below: Locator): Promise<void> {
    await row.waitFor();
    await untilSeen(below, async (timeout) => {
      const twistie = row.locator('.monaco-tl-twistie');
      if ((await row.getAttribute('aria-expanded')) === 'true') {
        if (await isThere(below, timeout)) return;
        await twistie.click({ timeout });
      }
      await twistie.click({ timeout });
    });
  }

  /**
   * Clicks a row until what it opens is there: a row that is redrawn under the pointer loses the click. What was opened late
   * is not clicked again, because the row may have another name by then.
   */
  async openRow(row: Locator, opened: Locator): Promise<void> {
    await clickUntilOpen(row, opened);
  }

  /**
   * Presses an inline action of a row until what comes of it is there. A row that moves away from the pointer hides its
   * actions, and one that is redrawn loses the click: it is pointed at again, as a user does.
   */
  async rowAction(row: Locator, title: string | RegExp, outcome: Locator): Promise<void> {
    const action = row.locator('.actions').getByRole('button', { name: title });
    await untilSeen(outcome, async (timeout) => {
      await row.hover({ timeout });
      await action.click({ timeout });
    });
  }

  /**
   * Chooses from a row's context menu until what comes of it is there, with the keyboard: VS Code ignores a click on a menu
   * that has only just opened. A view that is redrawn closes its menu: it is opened again, as a user does.
   */
  async rowMenu(row: Locator, title: string | RegExp, outcome: Locator): Promise<void> {
    const item = this.page.locator('.monaco-menu .action-item').filter({ hasText: title }).first();
    await untilSeen(outcome, async (timeout) => {
      await row.click({ button: 'right', timeout });
      await item.hover({ timeout });
      await item.and(this.page.locator('.focused')).waitFor({ timeout });
      await this.page.keyboard.press('Enter');
    });
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
    const label = name.split('/').at(-1) ?? name;
    await untilSeen(this.page.locator(`.tabs-container .tab.active[aria-label^="${label}"]`), async (timeout) => {
      if (await this.quickInput.isVisible()) await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('Control+P');
      await this.quickInput.locator('input.input').fill(name, { timeout });
      // Results come in waves: the list is still when the search is done.
      await this.quickInput.locator('.quick-input-progress.done').waitFor({ state: 'attached', timeout });
      await this.option(label).and(this.page.locator('.focused')).waitFor({ timeout });
      await this.page.keyboard.press('Enter');
    });
    await this.#textOf(label);
  }

  /** Waits for the text of a file, whose tab comes before it: until then commands know another editor. */
  async #textOf(name: string): Promise<void> {
    const uri = `/${encodeURIComponent(name)}`;
    const editor = this.page.locator(`.editor-group-container.active .monaco-editor[data-uri$="${uri}"]`);
    await editor.locator('.view-line').first().waitFor();
  }

  /** Closes all editors, in none of which something is unsaved. */
  async closeEditors(): Promise<void> {
    await this.run('View: Close All Editors');
    await this.page.locator('.tabs-container .tab').first().waitFor({ state: 'detached' });
  }

  /** Brings an editor to the front by its tab. */
  async showTab(name: string | RegExp): Promise<void> {
    const tab = this.tab(name).first();
    await untilSeen(tab.and(this.page.locator('.active')), async (timeout) => tab.click({ timeout }));
  }

  /** Brings the text of a file to the front by its tab. */
  async showText(name: string): Promise<void> {
    await this.showTab(new RegExp(`^\\s*${escape(name)}`));
    await this.#textOf(name);
  }

  tab(name: string | RegExp): Locator {
    return this.page.locator('.tabs-container .tab').filter({ hasText: name });
  }

  /** Types new lines below a line (counted from 1) of the active editor. */
  async typeBelow(line: number, text: string): Promise<void> {
    await this.goToEndOf(line);
    await this.page.keyboard.insertText(`\n${text}`);
  }

  /** Types another text into a line of the active editor; its indentation stays. */
  async replaceLine(line: number, text: string): Promise<void> {
    await this.goToEndOf(line);
    await this.page.keyboard.press('Shift+Home');
    await this.page.keyboard.insertText(text);
  }

  /** Puts the cursor at the end of a line (counted from 1), which is not empty. */
  async goToEndOf(line: number): Promise<void> {
    // What takes the focus meanwhile takes the keys as well.
    await untilDone(async (timeout) => {
      // A menu that an earlier attempt left open covers the window.
      const menu = this.page.locator('.action-widget:visible').first();
      if ((await this.quickInput.isVisible()) || (await menu.isVisible())) await this.page.keyboard.press('Escape');
      await this.focusEditor(timeout);
      await this.page.keyboard.press('Control+G');
      const input = this.quickInput.locator('input.input');
      await input.fill(`:${line}`, { timeout });
      await input.press('Enter', { timeout });
      await this.quickInput.waitFor({ state: 'hidden', timeout });
      await this.#focusedEditor.waitFor({ timeout });
      await this.#position(new RegExp(`^Ln ${line}, `), timeout);
      await this.page.keyboard.press('End');
      // The line is not empty, so its end is not where it begins.
      await this.#position(new RegExp(`^Ln ${line}, Col (?!1$)`), timeout);
    });
  }

  /** Gives the shown editor the focus. */
  async focusEditor(timeout = longestWait): Promise<void> {
    await this.page.locator('.editor-instance .view-lines').first().click({ timeout });
    await this.#focusedEditor.waitFor({ timeout });
  }

  get #focusedEditor(): Locator {
    return this.page.locator('.editor-instance .monaco-editor.focused').first();
  }

  /** Waits until the status bar shows the cursor there. */
  async #position(text: RegExp, timeout: number): Promise<void> {
    await this.page.locator('[id="status.editor.selection"]').filter({ hasText: text }).waitFor({ timeout });
  }

  /** Saves the active editor and waits until it has no unsaved change. */
  async save(): Promise<void> {
    // Of the group that has the focus: the shown tab of another one has nothing to save.
    const saved = this.page.locator('.editor-group-container.active .tab.active:not(.dirty)').first();
    await untilSeen(saved, async () => this.page.keyboard.press('Control+S'));
  }

  /**
   * Saves a document of the platform until what comes of it is there: VS Code takes a save that comes while auto save runs
   * for the same one, which sends nothing.
   */
  async sendUntil(outcome: Locator): Promise<void> {
    await untilSeen(outcome, async () => this.page.keyboard.press('Control+S'));
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

  /** What a code lens says; it is drawn again with every change of the text. */
  lens(text: string | RegExp): Locator {
    return this.page.locator('.codelens-decoration a, .codelens-decoration span').filter({ hasText: text }).first();
  }

  /** Presses a code lens until what comes of it is there. */
  async lensAction(text: string | RegExp, outcome: Locator): Promise<void> {
    await untilSeen(outcome, async (timeout) => this.lens(text).click({ timeout }));
  }

  // What the window says

  /** The extension's status bar item, when its text matches. */
  status(text: string | RegExp): Locator {
    return this.page.locator('[id="modelbench.modelbench.status"]').filter({ hasText: text });
  }

  /** Presses the extension's status bar item until what comes of it is there. */
  async statusAction(text: string | RegExp, outcome: Locator): Promise<void> {
    await untilSeen(outcome, async (timeout) => this.status(text).click({ timeout }));
  }

  /** The passing message of the status bar that says what was done, also when it has passed. */
  message(text: string | RegExp): PassingMessage {
    return new PassingMessage(this.page, text);
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
    await pressUntilGone(this.notification(text).getByRole('button', { name: button }));
  }

  async clearNotifications(): Promise<void> {
    await untilDone(async (timeout) => {
      await this.run('Notifications: Clear All Notifications');
      // There may be several on their way out, and another one may just have come.
      await this.notification('').first().waitFor({ state: 'hidden', timeout });
    });
  }

  /** A row of the Problems view, which is opened. */
  async problem(text: string | RegExp): Promise<Locator> {
    const panel = this.page.locator('.markers-panel');
    await untilDone(async (timeout) => {
      if (!(await panel.isVisible())) await this.page.keyboard.press('Control+Shift+M');
      await panel.waitFor({ timeout });
    });
    return panel.locator('.monaco-list-row').filter({ hasText: text }).first();
  }

  async closePanel(): Promise<void> {
    await pressUntilGone(this.page.locator('.part.panel').getByRole('button', { name: /^Hide Panel/ }));
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
    await this.#inEveryTheme(async (theme) => this.picture(`${name}-${theme}`));
  }

  /** The open view of the side bar at three widths, each in four themes; light and the greatest width are the last. */
  async sideBarPictures(name: string): Promise<void> {
    const widths = [450, 300, 200];
    await this.#inEveryTheme(async (theme) => {
      for (const width of widths) {
        await this.widenSideBar(width);
        await this.picture(`${name}-${width}-${theme}`);
      }
      // The next theme begins with the width that is there.
      widths.reverse();
    });
  }

  /** Another theme draws the whole window again, so whatever is shown in it is shown before the next one. */
  async #inEveryTheme(show: (theme: string) => Promise<void>): Promise<void> {
    for (const theme of ['dark', 'high contrast', 'high contrast light', 'light'] as const) {
      await this.setTheme(theme);
      await show(theme.replaceAll(' ', '-'));
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
    await this.page.screenshot({ path, animations: 'disabled', style: `${drawn} ${style}` });
  }
}
