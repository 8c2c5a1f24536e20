import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { inOneWindow, type Stage } from './journey.ts';
import { endRunsWithPages } from './run-end.journey.ts';
import { untilDone, untilSeen, untilTrue } from './until.ts';
import { viewAs } from './view-as.journey.ts';
import type { Workbench } from './workbench.ts';

const orders = 'model/cubes/orders.yml';

// One window for all of these: no editor is open when one of them begins, and none starts dev mode.
const play = inOneWindow({ signedIn: true, platform: { faults: true } });

describe('the playground in a real VS Code', () => {
  play(
    'ends a query with its page, its window and its extension host, and on request',
    'data-run-end',
    endRunsWithPages,
  );
  play('shows the members, rows and masks of an identity that is chosen by mouse and keyboard', 'data-view-as', viewAs);
});

describe('the language of data models in a real VS Code', () => {
  // @shows completion-of-members, hover, references, rename, semantic-tokens, signature-help, code-lenses, quick-fixes, diagnostics, diagnostic-pages, ignore-comments, remote-documents, branch-changes, join-graph, status
  play('completes, explains, mends, renames, previews, and knows the deploy branch', 'language', workOnModel);
});

async function workOnModel(stage: Stage): Promise<void> {
  const { workbench } = stage;
  await workbench.openFile('orders.yml');
  await previewAndSql(stage);
  await uses(stage);
  await hoverAndComplete(stage);
  await mend(stage);
  await removeAfterReview(stage);
  await moveQuery(stage);
  await renameWithPreview(stage);
  await joinGraph(stage);
  await remoteDocument(stage);
  await looks(stage);
  expect(await workbench.notifications()).toEqual([]);
}

/** Lenses ask the environment of the branch: rows of a cube, and the SQL behind it. */
async function previewAndSql({ workbench }: Stage): Promise<void> {
  await workbench.lens('Preview Data').waitFor();
  await workbench.picture('lenses');
  await workbench.lensAction('Preview Data', workbench.tab(/^orders$/));
  await workbench
    .webview()
    .getByText(/100 rows in/)
    .waitFor();
  await workbench.picture('preview');
  await workbench.run('View: Close Editor');

  await workbench.lensAction('Compiled SQL', workbench.tab('orders.sql'));
  await workbench.page.getByText('-- orders on Shop analytics').first().waitFor();
  await workbench.picture('compiled-sql');
  await workbench.run('View: Close Editor');
}

/** The count of uses leads to them, in VS Code's own view. */
async function uses({ workbench }: Stage): Promise<void> {
  const counted = workbench.lens(/^[1-9]\d* uses/);
  const peek = workbench.page.locator('.peekview-widget');
  await workbench.lensAction(/^[1-9]\d* uses/, peek);
  await peek.getByText('customer_overview.yml').first().waitFor();
  await untilTrue(async () => {
    const count = parseInt((await counted.textContent()) ?? '', 10);
    return peek.getByText(`(${count})`).first().isVisible();
  });
  await workbench.picture('uses');
  await untilDone(async (timeout) => {
    await workbench.page.keyboard.press('Escape');
    await peek.waitFor({ state: 'hidden', timeout });
  });
}

async function hoverAndComplete({ workbench, folder }: Stage): Promise<void> {
  const sql = lineOf(folder, orders, '{customers.id}');
  await goTo(workbench, sql, textOf(folder, orders, sql).indexOf('customers.id') + 12);
  // It goes when the pointer leaves the editor, as it may after the palette.
  const hover = workbench.page.locator('.monaco-hover:visible').getByText('customers.id');
  await untilSeen(hover, async () => workbench.run('Show or Focus Hover'));
  await workbench.picture('hover');
  await workbench.page.keyboard.press('Escape');

  const count = lineOf(folder, orders, 'title: Number of orders');
  await workbench.typeBelow(count, '      - name: orders_a_customer\n        type: number\n        sql: "{');
  const suggestions = workbench.page.locator('.suggest-widget.visible');
  const offered = suggestions.getByText('average_days_to_ship');
  await untilSeen(offered, async () => workbench.page.keyboard.press('Control+Space'));
  await workbench.picture('completion');
  await workbench.page.keyboard.press('Escape');
  await suggestions.waitFor({ state: 'hidden' });
  await workbench.page.keyboard.insertText('FILTER_PARAMS.orders.status.filter(');
  const help = workbench.page.locator('.parameter-hints-widget.visible');
  await untilSeen(help.getByText('A column or expression as text'), async () =>
    workbench.run('Trigger Parameter Hints'),
  );
  await workbench.picture('signature-help');
  await workbench.page.keyboard.press('Escape');
  await help.waitFor({ state: 'hidden' });
  await workbench.replaceLine(count + 3, 'sql: "{count} / {customers.count}"');
}

/** A slip is marked at once; the lightbulb knows what was meant. */
async function mend({ workbench }: Stage): Promise<void> {
  await workbench.page.keyboard.insertText('\n        titel: Orders per customer');
  const slip = await workbench.problem(/titel/);
  // The code leads to its page.
  const code = slip.getByText('unknown-key');
  await untilSeen(workbench.tab('unknown-key.md'), async (timeout) => code.click({ timeout }));
  await workbench.picture('page-of-a-code');
  await workbench.run('View: Close Editor');
  await goToProblem(workbench, slip);
  await workbench.page.locator('.squiggly-error').first().waitFor();
  await workbench.picture('problem');
  // So does the cursor, to the page as it is meant to be read.
  await workbench.run('Modelbench: Explain Problem at Cursor');
  await workbench.webview().getByRole('heading', { name: 'Unknown key' }).waitFor();
  await workbench.picture('explained');
  await workbench.run('View: Close Editor');
  await goToProblem(workbench, slip);
  const changed = workbench.page.locator('.editor-instance .view-line', { hasText: 'title: Orders per customer' });
  await takeFix(workbench, 'Change to `title`', changed);
  await slip.waitFor({ state: 'hidden' });
}

/** What removes text is shown on a page before it is done: by one click, or by the keyboard alone. */
async function removeAfterReview({ workbench }: Stage): Promise<void> {
  const { page } = workbench;
  const removed = workbench.webview().locator('.diff-line.removed .text');
  const offer = async (): Promise<void> => {
    // A page that was just closed gives the focus back late.
    await page.locator('.editor-instance .monaco-editor.focused').first().waitFor();
    await page.keyboard.press('End');
    await page.keyboard.insertText('\n        owner: team');
    await goToProblem(workbench, await workbench.problem(/owner/));
    await takeFix(workbench, 'Remove `owner`', removed);
  };
  await offer();
  await expect.poll(async () => removed.allTextContents()).toEqual(['        owner: team']);
  await workbench.picture('review-of-a-removal');
  await workbench.webview().getByRole('button', { name: 'Remove `owner`' }).click();
  await workbench.tab('Remove `owner`').waitFor({ state: 'detached' });
  await expect.poll(async () => workbench.editorText()).not.toContain('owner: team');

  await offer();
  await expect.poll(async () => removed.allTextContents()).toEqual(['        owner: team']);
  await expect
    .poll(async () =>
      workbench
        .webview()
        .locator('body')
        .evaluate(() => document.hasFocus()),
    )
    .toBe(true);
  await page.keyboard.press('Control+Enter');
  await workbench.tab('Remove `owner`').waitFor({ state: 'detached' });
  await expect.poll(async () => workbench.editorText()).not.toContain('owner: team');
}

/** A query that lies in the model is marked; the lightbulb moves its file beside the model after a review. */
async function moveQuery({ workbench, folder }: Stage): Promise<void> {
  const name = 'customers-in-total.query.yml';
  const [from, to] = [join(folder, 'model', name), join(folder, 'queries', name)];
  const text = 'query:\n  measures: [customers.count]\n';
  writeFileSync(from, text);
  await workbench.openFile(name);
  const misplaced = await workbench.problem(/reads this file as a part of the model/);
  await goToProblem(workbench, misplaced);
  const title = `Move to queries/${name}`;
  await takeFix(workbench, title, workbench.webview().getByRole('button', { name: title }));
  await workbench.picture('review-of-a-move');
  expect(existsSync(to)).toBe(false);
  await workbench.webview().getByRole('button', { name: title }).click();
  await workbench.tab(title).waitFor({ state: 'detached' });
  await misplaced.waitFor({ state: 'hidden' });
  await expect.poll(() => existsSync(from)).toBe(false);
  expect(readFileSync(to, 'utf8')).toBe(text);
  await workbench.showText(name);
  await workbench.picture('moved');
  await workbench.run('View: Close Editor');
  rmSync(to);
  await workbench.showText('orders.yml');
}

/** A rename shows every file that it changes before it does; then the deploy branch has the old name. */
async function renameWithPreview({ workbench, folder }: Stage): Promise<void> {
  const line = lineOf(folder, orders, '- name: count');
  await goTo(workbench, line, textOf(folder, orders, line).indexOf('count') + 2);
  const box = workbench.page.locator('.rename-box input');
  await untilSeen(box, async () => workbench.page.keyboard.press('F2'));
  await box.fill('number_of_orders');
  await box.press('Control+Enter');
  const preview = workbench.page.locator('.bulk-edit-panel');
  await preview.getByText('orders.yml').first().waitFor();
  // The last file is drawn only where its row is in sight. A key would also open the preview of that file, and VS Code shows
  // an error in its place where it has applied the changes before that editor is there.
  await untilSeen(preview.getByText('sales.yml'), async (timeout) => {
    await preview.locator('.monaco-list').hover({ timeout });
    await workbench.page.mouse.wheel(0, 1000);
  });
  await workbench.picture('rename-preview');
  await preview.getByRole('button', { name: 'Apply' }).click();
  // VS Code may still be opening the difference of the selected row.
  await workbench.tab('orders.yml').first().click();
  await expect.poll(async () => workbench.editorText()).toContain('name: number_of_orders');
  await workbench.save();
  const differs = await workbench.problem(/On main this is called “orders\.count”/);
  await differs.waitFor();
  await workbench.picture('differs-from-deploy');
  await workbench.closePanel();
}

/** The joins as a page; a cube leads to where it is written. */
async function joinGraph({ workbench }: Stage): Promise<void> {
  await workbench.run('Modelbench: Show Join Graph');
  const page = workbench.webview();
  await page.getByLabel('Around').selectOption('All cubes');
  await page.getByRole('link', { name: 'orders joins customers, many to one' }).waitFor();
  await workbench.picture('join-graph');
  const suppliers = page.getByRole('link', { name: /^suppliers,/ });
  await untilSeen(workbench.tab('suppliers.yml'), async (timeout) => suppliers.click({ timeout }));
  await workbench.run('View: Close Editor');
  await workbench.showTab('Join Graph');
  await workbench.run('View: Close Editor');
}

/** A document of a branch without a local copy knows the branch's whole model. */
async function remoteDocument({ workbench }: Stage): Promise<void> {
  await workbench.run('Modelbench: Open File of Branch');
  await workbench.pick(/^\s*main\s*$/);
  await workbench.pick('customers.yml');
  await workbench.tab('customers.yml').waitFor();
  await workbench.lens(/^[1-9]\d* uses/).waitFor();
  await workbench.picture('remote-document');
  await workbench.run('View: Close Editor');
}

async function looks({ workbench }: Stage): Promise<void> {
  await untilDone(async (timeout) => {
    await workbench.page.locator('[id="status.languageStatus"]').first().hover({ timeout });
    await workbench.page
      .getByText(/Model: \d+ cubes/)
      .first()
      .waitFor({ timeout });
  });
  await workbench.picture('status');
  for (const theme of ['dark', 'high contrast'] as const) {
    await workbench.setTheme(theme);
    await workbench.picture(theme.replace(' ', '-'));
  }
}

/** Opens what a problem is about, with the focus in the text. */
async function goToProblem({ page }: Workbench, problem: Locator): Promise<void> {
  await untilSeen(page.locator('.editor-instance .monaco-editor.focused'), async (timeout) =>
    problem.dblclick({ position: { x: 120, y: 10 }, timeout }),
  );
}

/** Takes a quick fix at the cursor until what comes of it is there: the list closes where the editor is drawn again. */
async function takeFix(workbench: Workbench, title: string, outcome: Locator): Promise<void> {
  const { page } = workbench;
  const fix = page.locator('.action-widget:visible').getByText(title);
  await untilSeen(outcome, async (timeout) => {
    if (!(await fix.isVisible())) await page.keyboard.press('Control+.');
    await fix.waitFor({ timeout });
    await workbench.picture('quick-fix');
    await fix.click({ timeout });
  });
}

async function goTo({ page, quickInput }: Workbench, line: number, column: number): Promise<void> {
  const there = page.locator('[id="status.editor.selection"]').filter({ hasText: `Ln ${line}, Col ${column}` });
  await untilSeen(there, async (timeout) => {
    await page.keyboard.press('Control+G');
    const input = quickInput.locator('input.input');
    await input.fill(`:${line}:${column}`, { timeout });
    await input.press('Enter', { timeout });
    await quickInput.waitFor({ state: 'hidden', timeout });
  });
}

/** The first line (from 1) of a file that holds a text. */
function lineOf(folder: string, path: string, text: string): number {
  const lines = readFileSync(join(folder, path), 'utf8').split('\n');
  return lines.findIndex((line) => line.includes(text)) + 1;
}

function textOf(folder: string, path: string, line: number): string {
  return readFileSync(join(folder, path), 'utf8').split('\n')[line - 1] ?? '';
}
